// SPDX-License-Identifier: Apache-2.0
// Images of robots on a canvas.
type Message = any;

const kOrders: Record<string, number[]> = { rgb8: [0, 1, 2, 3], bgr8: [2, 1, 0, 3], rgba8: [0, 1, 2, 4], bgra8: [2, 1, 0, 4], mono8: [0, 0, 0, 1] };

/// A plain or compressed image; why it cannot be shown, or nothing.
export async function drawPicture(canvas: HTMLCanvasElement, image: Message): Promise<string | undefined> {
  const g = canvas.getContext("2d")!;
  if (image.format !== undefined) {
    try {
      const bitmap = await createImageBitmap(new Blob([image.data], { type: image.format.includes("png") ? "image/png" : "image/jpeg" }));
      fit(canvas, bitmap.width, bitmap.height);
      g.drawImage(bitmap, 0, 0);
      bitmap.close();
    } catch {
      return `a picture in '${image.format}' cannot be read`;
    }
    return undefined;
  }
  const order = kOrders[image.encoding];
  if (!order) return `pictures in ${image.encoding} are not shown`;
  fit(canvas, image.width, image.height);
  const pixels = g.createImageData(image.width, image.height);
  for (let y = 0, out = 0; y < image.height; ++y)
    for (let x = 0, at = y * image.step; x < image.width; ++x, at += order[3], out += 4) {
      pixels.data[out] = image.data[at + order[0]];
      pixels.data[out + 1] = image.data[at + order[1]];
      pixels.data[out + 2] = image.data[at + order[2]];
      pixels.data[out + 3] = 255;
    }
  g.putImageData(pixels, 0, 0);
  return undefined;
}

function fit(canvas: HTMLCanvasElement, width: number, height: number) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/// How much of the picture on a canvas has each colour, 0..1.
export function shares(canvas: HTMLCanvasElement, colours: [number, number, number][]): number[] {
  const { data } = canvas.getContext("2d", { willReadFrequently: true })!.getImageData(0, 0, canvas.width, canvas.height);
  const counts = colours.map(() => 0);
  const kEvery = 4; // pixels; enough for a share
  for (let i = 0; i < data.length; i += 4 * kEvery) {
    const at = colours.findIndex(([r, g, b]) => data[i] === r && data[i + 1] === g && data[i + 2] === b);
    if (at >= 0) ++counts[at];
  }
  return counts.map((count) => (count * 4 * kEvery) / data.length);
}
