/** Documents with all kinds of content. */
import * as Y from "yjs"

/** A board with so many elements, each written over once. */
export function drawnBy(client: number, count: number): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = client
  for (let i = 0; i < 2 * count; i++) doc.getMap("elements").set(`${i % count}`, { x: i, points: [i, -i, i / 3] })
  return doc
}

/** Two members that write by turns, and every update that comes of it. */
export function differentTypes() {
  const doc = new Y.Doc()
  const other = new Y.Doc()
  doc.clientID = 2 ** 52 + 1
  other.clientID = 3
  const updates: Uint8Array[] = []
  const exchange = (from: Y.Doc, to: Y.Doc) => {
    from.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === "network") return
      updates.push(update)
      Y.applyUpdate(to, update, "network")
    })
  }
  exchange(doc, other)
  exchange(other, doc)
  for (const [round, writer] of [doc, other, doc, other].entries()) {
    const [map, list, text] = [writer.getMap<unknown>("map"), writer.getArray("list"), writer.getText("text")]
    map.set("same", round)
    map.set(`nested ${round}`, new Y.Map([["a", [1, "two", null, undefined, true, 1n, { b: 0.1 }]]]))
    list.insert(0, [round, "x"])
    list.push([new Uint8Array([1, 2, 3])])
    text.insert(text.length >> 1, `round ${round} 😀`)
    text.format(0, 3, { bold: true })
    text.insertEmbed(0, { image: round })
    writer.getXmlFragment("xml").insert(0, [new Y.XmlElement("p"), new Y.XmlText("words")])
    if (round > 0) {
      list.delete(1, 2)
      text.delete(2, 4)
      map.delete(`nested ${round - 1}`)
    }
  }
  return { doc, other, updates }
}
