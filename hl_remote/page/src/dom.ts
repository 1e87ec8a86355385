// SPDX-License-Identifier: Apache-2.0
// Small pieces of page. Text is always set as text, never as HTML: it comes from robots.
type Child = Node | string | number;

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) result.setAttribute(name, value);
  for (const child of children) result.append(child instanceof Node ? child : String(child));
  return result;
}

export function button(text: string, action: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const result = element("button", { type: "button", ...attributes }, text);
  result.onclick = action;
  return result;
}

/// Rows of name and value; a value may have a class.
export function table(rows: [string, Child | { text: Child; kind: string }][]): HTMLTableElement {
  return element("table", {}, ...rows.map(([name, value]) => {
    const styled = typeof value === "object" && !(value instanceof Node);
    return element("tr", {}, element("th", {}, name), element("td", { class: styled ? value.kind : "" }, styled ? value.text : (value as Child)));
  }));
}

export function replace(parent: Element, ...children: Child[]) {
  parent.replaceChildren(...children.map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
}

/// Offers a text as a file.
export function download(name: string, text: string) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
