import * as Y from "yjs"
import { KeymootError } from "../../api/index.ts"
import { hasPrototypeKey, mayNamePrototype } from "../../documents/prototypes.ts"

/**
 * Refuses a local change with a value that has no encoding, such as one that contains itself. Yjs has no check before a
 * change, and encodes it after all observers have run. If the encoding throws, Yjs never begins another cleanup, so the
 * document emits no further update. So such values are blanked at the end of their transaction. When it is complete, it
 * is undone as a whole, and its caller gets the error. Observers see both steps.
 */
export function refuseUnsendable(doc: Y.Doc): void {
  const refused: Y.UndoManager[] = []
  doc.on("beforeObserverCalls", (transaction) => {
    if (!transaction.local || !blankUnsendable(transaction)) return
    const trackedOrigins = new Set([transaction.origin])
    refused.push(new Y.UndoManager(doc, { trackedOrigins, captureTransaction: (each) => each === transaction }))
  })
  doc.on("afterAllTransactions", () => {
    const undone = refused.splice(0).toReversed()
    for (const change of undone) {
      change.undo()
      change.destroy()
    }
    if (undone.length > 0) throw unsendable()
  })
}

/** Returns whether there was such a value. Only this client's structs can have one: others were decoded. */
function blankUnsendable({ doc: { store, clientID }, beforeState }: Y.Transaction): boolean {
  const from = beforeState.get(clientID) ?? 0
  if (Y.getState(store, clientID) === from) return false
  const structs = store.clients.get(clientID)!
  let found = false
  for (const struct of structs.slice(Y.findIndexSS(structs, from))) {
    if (!(struct instanceof Y.Item) || isSendable(struct.content)) continue
    blank(struct.content)
    found = true
  }
  return found
}

/** Content of other kinds is always sendable. */
function isSendable(content: Y.Item["content"]): boolean {
  if (![Y.ContentAny, Y.ContentEmbed, Y.ContentFormat].some((kind) => content instanceof kind)) return true
  try {
    const encoder = new Y.UpdateEncoderV1()
    content.write(encoder, 0)
    const values = content instanceof Y.ContentAny && mayNamePrototype(encoder.toUint8Array()) ? content.arr : []
    // Others would take its value for a prototype, and refuse the change.
    return !values.some(hasPrototypeKey)
  } catch {
    return false
  }
}

function blank(content: Y.Item["content"]): void {
  if (content instanceof Y.ContentAny) content.arr = content.arr.map(() => null)
  if (content instanceof Y.ContentEmbed) content.embed = {}
  if (content instanceof Y.ContentFormat) content.value = {}
}

function unsendable(): KeymootError {
  const what = "This change was undone: a value in it cannot be sent, for example because it contains itself."
  return new KeymootError("invalid-argument", `${what} Set plain objects and arrays without cycles.`)
}
