// SPDX-License-Identifier: Apache-2.0
// The field in three dimensions. This file brings three.js and is loaded only when its tab is opened.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { kField } from "../field";
import { Pose } from "./frames";
import { Visual, visualsOf } from "./urdf";

const kBallRadius = 0.07; // m
const kLift = 0.005; // m that lines lie above the turf, so that they do not flicker

/// The shape of a mesh by its address; the bridge reads the file.
export type Fetch = (uri: string) => Promise<Uint8Array>;

class RobotModel {
  readonly group = new THREE.Group();
  readonly links = new Map<string, THREE.Group>();

  constructor(xml: string, fetch: Fetch, private onLoad: () => void) {
    for (const visual of visualsOf(xml)) this.add(visual, fetch);
  }

  private add(visual: Visual, fetch: Fetch) {
    let link = this.links.get(visual.link);
    if (!link) {
      link = new THREE.Group();
      this.links.set(visual.link, link);
      this.group.add(link);
    }
    const [r, g, b, a] = visual.colour;
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshLambertMaterial({ color: new THREE.Color(r, g, b), transparent: a < 1, opacity: a }));
    place(mesh, visual.pose);
    link.add(mesh);
    const { shape } = visual;
    if (shape.kind === "box") mesh.geometry = new THREE.BoxGeometry(...shape.size);
    if (shape.kind === "sphere") mesh.geometry = new THREE.SphereGeometry(shape.radius, 20, 14);
    if (shape.kind === "cylinder") mesh.geometry = new THREE.CylinderGeometry(shape.radius, shape.radius, shape.length, 24).rotateX(Math.PI / 2); // URDF's stand along z
    if (shape.kind === "mesh") {
      mesh.scale.set(...shape.scale);
      fetch(shape.uri).then((bytes) => {
        mesh.geometry = new STLLoader().parse(bytes.slice().buffer);
        mesh.geometry.computeVertexNormals();
        this.onLoad();
      }).catch(() => link!.remove(mesh)); // its link is drawn without it
    }
  }

  dispose() {
    this.group.traverse((part) => {
      if (!(part instanceof THREE.Mesh)) return;
      part.geometry.dispose();
      part.material.dispose();
    });
    this.group.removeFromParent();
  }
}

function place(object: THREE.Object3D, pose: Pose) {
  object.position.set(...pose.p);
  object.quaternion.set(...pose.q);
}

export class SceneView {
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private camera = new THREE.PerspectiveCamera(45, 1.6, 0.05, 60);
  private controls: OrbitControls;
  private robots = new Map<string, RobotModel>();
  private ball = new THREE.Mesh(new THREE.SphereGeometry(kBallRadius, 24, 16), new THREE.MeshLambertMaterial({ color: 0xffa000 }));
  private path = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xffe680 }));

  /// Throws if the browser cannot draw in three dimensions.
  constructor(private canvas: HTMLCanvasElement, private onLoad: () => void) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.scene.background = new THREE.Color(0xdfe7ec);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x607060, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(-3, -4, 8);
    this.scene.add(sun, this.ground(), this.lines(), this.ball, this.path);
    this.camera.up.set(0, 0, 1); // as in ROS
    this.camera.position.set(-1.6, -1.6, 1.2);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(0, 0, 0.25);
    this.controls.addEventListener("change", () => this.onLoad());
    this.controls.update();
  }

  setRobot(name: string, xml: string, fetch: Fetch) {
    this.removeRobot(name);
    const model = new RobotModel(xml, fetch, this.onLoad);
    this.robots.set(name, model);
    this.scene.add(model.group);
  }
  removeRobot(name: string) {
    this.robots.get(name)?.dispose();
    this.robots.delete(name);
  }
  has(name: string) {
    return this.robots.has(name);
  }

  /// Where each link is; those without a place are hidden. How many are shown.
  pose(name: string, lookup: (link: string) => Pose | undefined): number {
    let shown = 0;
    for (const [link, group] of this.robots.get(name)?.links ?? []) {
      const pose = lookup(link);
      group.visible = pose !== undefined;
      if (!pose) continue;
      place(group, pose);
      ++shown;
    }
    return shown;
  }
  setBall(point: [number, number] | undefined) {
    this.ball.visible = point !== undefined;
    if (point) this.ball.position.set(point[0], point[1], kBallRadius);
  }
  setPath(points: [number, number][]) {
    this.path.geometry.dispose();
    this.path.geometry = new THREE.BufferGeometry().setFromPoints(points.map(([x, y]) => new THREE.Vector3(x, y, 2 * kLift)));
  }
  /// The camera goes along with what it looks at.
  lookAt(x: number, y: number) {
    const by = new THREE.Vector3(x, y, this.controls.target.z).sub(this.controls.target);
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
  }

  draw() {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }

  private ground() {
    const { length, width, margin } = kField;
    return new THREE.Mesh(new THREE.PlaneGeometry(length + 2 * margin, width + 2 * margin), new THREE.MeshLambertMaterial({ color: 0x2f7d3b }));
  }
  private lines() {
    const { length, width, goal, goalDepth, area, penaltyArea, circle } = kField;
    const points: THREE.Vector3[] = [];
    const line = (x0: number, y0: number, x1: number, y1: number) => points.push(new THREE.Vector3(x0, y0, kLift), new THREE.Vector3(x1, y1, kLift));
    const box = (x0: number, y0: number, x1: number, y1: number) => (line(x0, y0, x1, y0), line(x1, y0, x1, y1), line(x1, y1, x0, y1), line(x0, y1, x0, y0));
    box(-length / 2, -width / 2, length / 2, width / 2);
    line(0, -width / 2, 0, width / 2);
    for (const side of [-1, 1]) {
      const x = (side * length) / 2;
      for (const [depth, across] of [area, penaltyArea]) box(x, -across / 2, x - side * depth, across / 2);
      box(x, -goal / 2, x + side * goalDepth, goal / 2);
    }
    const kParts = 64;
    for (let i = 0; i < kParts; ++i) {
      const at = (part: number): [number, number] => [(circle / 2) * Math.cos((2 * Math.PI * part) / kParts), (circle / 2) * Math.sin((2 * Math.PI * part) / kParts)];
      line(...at(i), ...at(i + 1));
    }
    return new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: 0xffffff }));
  }
}
