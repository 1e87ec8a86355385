// SPDX-License-Identifier: Apache-2.0
import { Connection, Message } from "../connection";
import { element, replace } from "../dom";
import { Panel } from "../panel";
import { Robot, Robots } from "../robots";
import { seconds } from "../words";

/// The picture with what was found in it, as JPEG where somebody offers that, else the plain one.
export class CameraPanel extends Panel {
  private canvas = element("canvas", { width: "640", height: "480" });
  private caption = element("p");
  private image?: Message;
  private topic = "";

  constructor(connection: Connection, robots: Robots) {
    super("camera", connection, robots);
    this.body.append(this.canvas, this.caption);
  }

  protected start(robot: Robot) {
    this.image = undefined;
    const offered = ["camera/image_marked/compressed", "camera/image_raw"].find((name) => this.connection.channels.has(robot.topic(name)));
    this.topic = robot.topic(offered ?? "camera/image_raw");
    this.watch(this.topic, (image) => (this.image = image));
  }

  protected async draw() {
    if (!this.image) return replace(this.caption, `no picture on ${this.topic}`);
    const g = this.canvas.getContext("2d")!;
    const image = this.image;
    replace(this.caption, `${this.topic}, ${seconds(image.header.stamp).toFixed(2)} s`);
    if (image.format !== undefined) {
      const bitmap = await createImageBitmap(new Blob([image.data], { type: "image/jpeg" }));
      this.size(bitmap.width, bitmap.height);
      g.drawImage(bitmap, 0, 0);
      return bitmap.close();
    }
    const order = ({ rgb8: [0, 1, 2, 3], bgr8: [2, 1, 0, 3], rgba8: [0, 1, 2, 4], bgra8: [2, 1, 0, 4], mono8: [0, 0, 0, 1] } as Record<string, number[]>)[image.encoding];
    if (!order) return replace(this.caption, `pictures in ${image.encoding} are not shown`);
    this.size(image.width, image.height);
    const pixels = g.createImageData(image.width, image.height);
    for (let y = 0, out = 0; y < image.height; ++y)
      for (let x = 0, at = y * image.step; x < image.width; ++x, at += order[3], out += 4) {
        pixels.data[out] = image.data[at + order[0]];
        pixels.data[out + 1] = image.data[at + order[1]];
        pixels.data[out + 2] = image.data[at + order[2]];
        pixels.data[out + 3] = 255;
      }
    g.putImageData(pixels, 0, 0);
  }

  private size(width: number, height: number) {
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }
}
