// SPDX-License-Identifier: Apache-2.0
// Debian's chromium looks at a running simulation: node cockpit.mjs ADDRESS TOKEN FOLDER CHROMIUM
// Screenshots go to FOLDER/pictures; FOLDER/motions is the recorder's. Ends with 'cockpit: all well', or says what is wrong.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { Peer } from "./peer.mjs";

const [address, token, folder, executablePath] = process.argv.slice(2);
const kPatience = 120_000; // ms; a loaded machine may take its time
mkdirSync(join(folder, "pictures"), { recursive: true });

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const context = await browser.newContext({ viewport: { width: 1500, height: 1000 }, acceptDownloads: true });
context.setDefaultTimeout(kPatience);
const foreign = [], faults = [];

async function open(query) {
  const page = await context.newPage();
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== "127.0.0.1" && !["blob:", "data:"].includes(protocol)) foreign.push(request.url());
  });
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  await page.goto(`http://${address}/${query}`);
  await page.getByText("connected", { exact: true }).waitFor();
  return page;
}
const section = (page, name) => page.locator(`section[aria-label="${name}"]`);
const perspective = (page, name) => page.locator("#perspectives button", { hasText: new RegExp(`^${name}$`) }).click();
const picture = (page, name) => page.screenshot({ path: join(folder, "pictures", `${name}.png`) });
async function until(what, holds) {
  const end = Date.now() + kPatience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
/// Does it until it has had its effect: a robot on a busy machine may answer too late.
async function doUntil(what, act, holds, patience = 20_000) {
  await until(what, async () => {
    await act();
    for (const end = Date.now() + patience; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200)))
      if (await holds()) return true;
    return false;
  });
}
const only = new RegExp(process.env.ONLY ?? ""); // while working on one of them
async function step(name, run) {
  if (!only.test(name)) return;
  const start = Date.now();
  try {
    await run();
    console.log(`${name}: well (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    await picture(page, "failed").catch(() => {});
    console.log(`${name}: ${error.stack}`);
    process.exit(1);
  }
}

const peer = new Peer(address, token);
await peer.ready();
let page = await open("");

await step("robots appear, without a token one only looks", async () => {
  await until("both robots online", async () => (await page.locator(".robot.online").count()) === 2);
  await page.getByText("looking only").waitFor();
  const init = section(page, "init");
  await until("no orders can be given", () => init.getByRole("button", { name: "set role" }).isDisabled());
  await init.locator('select[aria-label="role"] option', { hasText: "striker" }).waitFor({ state: "attached" }); // lists are free to read
  const looker = new Peer(address, "");
  await looker.ready();
  await assert.rejects(looker.call("/one/set_role", { role: 2, automatic: false }), /may only look/);
  looker.close();
});
await page.close();
page = await open(`?token=${token}`);

await step("role set with the token, sent and confirmed", async () => {
  await page.getByText("may command").waitFor();
  const init = section(page, "init");
  await init.locator('select[aria-label="role"]').selectOption("goalie");
  await init.getByRole("button", { name: "set role" }).click();
  await init.locator("tr.order", { hasText: "role goalie" }).getByText("confirmed").waitFor();
  await page.locator(".robot", { hasText: "goalie" }).waitFor();
  await picture(page, "match");
});

await step("a task of the robot's list runs and is stopped", async () => {
  const init = section(page, "init");
  await init.getByLabel("task", { exact: true }).selectOption("find_ball");
  await init.getByRole("button", { name: "run task" }).click();
  await init.locator("tr.order", { hasText: "task find_ball" }).getByText("confirmed").waitFor();
  await init.getByRole("button", { name: "stop task" }).click();
  await init.locator("tr.order", { hasText: "stop the task" }).getByText("confirmed").waitFor();
});

await step("the log is filtered", async () => {
  const log = section(page, "log"), rows = log.locator("table tr");
  await until("entries", async () => (await rows.count()) > 3);
  const all = await rows.count(), source = await rows.first().locator("td").nth(2).textContent();
  await log.getByLabel("source").selectOption(source);
  await until("only that source", async () => (await rows.locator("td:nth-child(3)").allTextContents()).every((name) => name === source));
  await log.getByLabel("search").fill("no such words at all");
  await until("nothing left", async () => (await rows.count()) === 0);
  await log.getByLabel("search").fill("");
  await log.getByLabel("source").selectOption("");
  await until("all again", async () => (await rows.count()) >= all);
});

await step("the image changes", async () => {
  await perspective(page, "vision");
  const canvas = section(page, "camera").locator("canvas");
  const shown = () => canvas.evaluate((element) => element.toDataURL("image/jpeg", 0.3));
  await until("a picture", async () => (await section(page, "camera").locator("figcaption").textContent()).includes("image_marked"));
  const before = await shown();
  let x = 1;
  await until("another picture", async () => {
    await peer.call("/simulator/place_ball", { frame_id: "one/map", position: { x: (x += 0.3) % 3, y: 0, z: 0 }, velocity: { x: 0, y: 0, z: 0 } }).catch(() => {}); // a busy world answers late
    return (await shown()) !== before;
  });
});

await step("what the vision takes for field and line", async () => {
  const colour = section(page, "colour check");
  const share = async (name) => parseFloat(await colour.locator("tr", { has: page.locator(`td:text-is("${name}")`) }).locator("td.number").textContent());
  await colour.locator('td:text-is("field")').waitFor();
  await until("the field is seen", async () => (await share("field")) > 10);
  assert.ok((await share("field")) <= 100);
  await colour.getByLabel("/one/detection.colour.white_factor", { exact: true }).waitFor();
  await section(page, "camera").locator("h2").scrollIntoViewIfNeeded();
  await picture(page, "vision");
});

await step("a parameter is set live, refused beyond its range", async () => {
  await perspective(page, "parameters");
  const box = section(page, "parameters");
  await box.getByLabel("search parameters").fill("detection.ball_confidence");
  const field = box.getByLabel("/one/detection.ball_confidence", { exact: true });
  const enter = (value) => async () => {
    await field.fill(value);
    await field.press("Enter");
  };
  await doUntil("it is set", enter("0.7"), () => box.getByText("/one/detection.ball_confidence is 0.7").isVisible());
  const name = "/one/detection.ball_confidence", type = "float64";
  let told = [];
  await until("the robot tells the value", async () => (told = await peer.parameters([name])).length > 0);
  assert.deepEqual(told, [{ name, value: 0.7, type }]);
  await doUntil("it is refused", enter("7"), () => page.locator("footer .bad", { hasText: "ball_confidence" }).isVisible());
  await until("the old value is back", async () => (await field.inputValue()) === "0.7");
  await box.locator("[role=status].bad").waitFor();
  await box.getByText("0..1", { exact: true }).waitFor();
  await doUntil("somebody else's change is shown", () => peer.setParameter({ name, value: 0.6, type }), async () => (await field.inputValue()) === "0.6");
  await picture(page, "parameters");
});

await step("a motion is recorded, edited, verified, played and saved", async () => {
  await perspective(page, "motion");
  const editor = section(page, "motion editor"), rows = editor.locator("table.motion tbody tr");
  const press = (name) => editor.getByRole("button", { name, exact: true }).click(); // waits until the robot has answered what was pressed before
  const answered = () => until("the robot's answer", async () => (await editor.getAttribute("aria-busy")) === "false");
  const cell = (joint, row) => editor.getByLabel(`${joint} of keyframe ${row}`, { exact: true });
  await editor.getByLabel("name of the motion").fill("greet");
  await until("the robot is reserved", async () => {
    await press("new"); // a robot that walks is not given
    await answered();
    return editor.getByText("the robot is reserved").isVisible();
  });
  await page.locator(".robot", { hasText: "record" }).waitFor();
  await until("a pose is taken", async () => {
    await press("take pose");
    await answered();
    return (await rows.count()) > 0;
  });
  while ((await rows.count()) > 1) await press("delete"); // one was taken whose answer came too late
  await press("insert row");
  await cell("LShoulderPitch", 2).fill("40");
  await cell("LShoulderPitch", 2).press("Enter");
  await cell("HeadPan", 2).fill("25");
  await cell("HeadPan", 2).press("Alt+m"); // mirror
  assert.equal(await cell("HeadPan", 2).inputValue(), "-25");
  await page.keyboard.press("Control+z");
  assert.equal(await cell("HeadPan", 2).inputValue(), "25");
  await until("the row is copied", async () => {
    await cell("HeadPan", 2).click(); // undo has drawn the table anew
    await page.keyboard.press("Alt+c");
    await page.keyboard.press("Alt+v");
    await page.waitForTimeout(500);
    return (await rows.count()) >= 3;
  });
  assert.equal(await rows.count(), 3);
  await cell("HeadPan", 3).fill("-20");
  await cell("HeadPan", 3).press("Enter");
  await cell("LKnee", 3).fill("300"); // no knee can do this
  await cell("LKnee", 3).press("Enter");
  await doUntil("findings", () => press("verify"), () => editor.locator("li.bad", { hasText: "LKnee" }).first().isVisible());
  await editor.locator('td.bad[data-joint="LKnee"]').waitFor();
  await picture(page, "motion_red");
  await page.keyboard.press("Control+z");
  assert.notEqual(await cell("LKnee", 3).inputValue(), "300", "taken back");
  await doUntil("no knee beyond its limit", () => press("verify"), async () =>
    /found|findings/.test(await editor.locator("[role=status]").textContent()) && !(await editor.locator("ul").textContent()).includes("position limit LKnee"));

  const toggle = async () => {
    await editor.getByRole("button", { name: /^LElbow/ }).click();
    await answered();
  };
  await doUntil("limp", toggle, () => editor.locator("th.limp", { hasText: "LElbow (limp)" }).isVisible());
  await doUntil("stiff again", toggle, async () => (await editor.locator("th.limp").count()) === 0);

  const pan = async () => (await peer.joint("/one/joint_states", "HeadPan")) * 180 / Math.PI;
  await cell("HeadPan", 2).click();
  await doUntil("the head looks there", () => press("go to row"), async () => Math.abs((await pan()) - 25) < 4, 30_000);
  await doUntil("the end of the motion", () => press("play all"), async () => Math.abs((await pan()) + 20) < 4, 60_000);
  await picture(page, "motion");

  const [download] = await Promise.all([page.waitForEvent("download"), press("export for FUmanoid")]);
  const text = readFileSync(await download.path(), "utf8").trim().split("\n");
  assert.equal(text.length, 4);
  assert.equal(text[3], "-1");
  assert.equal(text[0].split(",").length, 24, "22 motors, the delay and the comma at the end");
  writeFileSync(join(folder, "again.txt"), text.join("\n"));
  await editor.getByLabel("import").setInputFiles(join(folder, "again.txt"));
  await until("imported", async () => Math.abs(parseFloat(await cell("HeadPan", 2).inputValue()) - 25) < 0.3);
  await press("undo");

  await doUntil("saved", () => press("save"), () => editor.getByText("written:").isVisible());
  const saved = readFileSync(join(folder, "motions", "greet.yaml"), "utf8");
  assert.match(saved, /HeadPan: 25\.0/);
  await doUntil("given back", () => press("release robot"), async () => (await page.locator(".robot", { hasText: "record" }).count()) === 0);
});

await step("an animation of the library is stopped and played", async () => {
  const editor = section(page, "motion editor"), status = editor.locator("[role=status]");
  const play = editor.getByRole("button", { name: "play as animation" }), stop = editor.getByRole("button", { name: "stop animation" });
  /// What the page says in the end; a robot that walks or has fallen may not play it.
  const end = async () => {
    await until("an end of the animation", () => play.isEnabled());
    return status.textContent();
  };
  await editor.getByLabel("name of the motion").fill("greeting");
  await until("stopped", async () => {
    await play.click();
    await until("it plays, or why not", async () => (await stop.isEnabled()) || (await play.isEnabled()));
    if (await stop.isEnabled()) await stop.click();
    return (await end()).includes("cancelled");
  });
  await until("played", async () => {
    await play.click();
    return (await end()).includes("has been played");
  });
});

await step("motors, plots and raw traffic", async () => {
  await until("all motors", async () => (await section(page, "motors").getByLabel("motors").locator("tr").count()) === 20);
  const plots = section(page, "plots");
  await plots.getByLabel("topic to plot").selectOption("~/joint_states");
  await plots.locator('select[aria-label="number to plot"] option', { hasText: "position HeadPan" }).waitFor({ state: "attached" });
  await plots.getByLabel("number to plot").selectOption({ label: "position HeadPan" });
  await plots.getByRole("button", { name: "plot", exact: true }).click();
  await plots.locator("canvas").waitFor();
  await perspective(page, "network");
  const traffic = section(page, "traffic");
  await traffic.getByRole("button", { name: "show frames" }).click();
  await until("frames", async () => (await traffic.getByLabel("frames", { exact: true }).locator("tr").count()) > 5);
  await until("rates", async () => (await traffic.getByLabel("rates").textContent()).includes("Hz"));
  await picture(page, "network");
});

await step("three dimensions", async () => {
  await perspective(page, "3-D");
  const scene = section(page, "3-D");
  await scene.getByText(/one: [1-9]\d* links in (map|odom)/).waitFor();
  await until("something is drawn", async () => scene.locator("canvas").evaluate((canvas) => new Promise((resolve) => requestAnimationFrame(() => {
    const copy = document.createElement("canvas");
    copy.width = copy.height = 64;
    const g = copy.getContext("2d");
    g.drawImage(canvas, 0, 0, 64, 64);
    resolve(new Set(new Uint32Array(g.getImageData(0, 0, 64, 64).data.buffer)).size > 20);
  }))));
  await picture(page, "scene");
});

await step("in a match the page only looks", async () => {
  await perspective(page, "match");
  await doUntil("the match begins", () => peer.call("/referee_command", { command: "start" }).catch(() => {}), () => page.getByText("match: looking only").isVisible());
  await page.locator("body.match").waitFor();
  const init = section(page, "init");
  for (const name of ["set role", "run task", "may play", "freeze"])
    await until(`'${name}' is grey`, () => init.getByRole("button", { name, exact: true }).isDisabled());
  await assert.rejects(peer.call("/one/set_role", { role: 2, automatic: false }), /match/);
  await picture(page, "match_mode");
});

assert.deepEqual(foreign, [], "requests that leave the machine");
assert.deepEqual(faults, [], "exceptions of the page");
assert.ok(existsSync(join(folder, "pictures", "match_mode.png")));
console.log("cockpit: all well");
await browser.close();
process.exit(0);
