import type { Page, Worker } from "@playwright/test"

/** Notes are kept masked: nobody finds a secret in the notes about it. */
const MASK = 0x5a

/** Places of the built engine that overwrite no key of the group. Given a range, `fill` is not noted. */
const NOT_OF_THE_GROUP = [
  // Scratch memory of the libraries' hashes: pads and counters.
  /\b\w\[\w\]\.fill\(0(?=\))/gu,
  // Keys of one link between two members.
  /`zero-secret`;if\(this\.#\w+\.classicalSecret=\w,\w\.fill\(0(?=\))/gu,
  /\b(?:ephemeralSecret|classicalSecret|kemSecret|initiator|responder)\.fill\(0(?=\))/gu,
  /\.proofs\.(?:initiator|responder\?)\.key\.fill\(0(?=\))/gu,
  /\.takeSecret\(\),\w+=\w+\(\w+,(?:\w+|this\.#\w+\.associationId,\w+)\);(?:return )?\w+\.fill\(0(?=\))/gu,
  /\[\w+\.initiator,\w+\.responder\]\)\w+\.fill\(0(?=\))/gu,
]

type Notes = { wiped: string[]; imported: string[]; sent: string[] }
type Noting = typeof globalThis & { notes: Notes; planted?: Uint8Array }

/** `wiped`: secrets that the engine has overwritten. `imported`: keys that it gave to WebCrypto. `sent`: all that it told the page. */
export type NotedSecrets = {
  readonly wiped: readonly Buffer[]
  readonly imported: readonly Buffer[]
  readonly sent: readonly Buffer[]
}

/** Records the secrets that this page's engine handles from now on. Call it before the page's first visit. */
export async function noteSecrets(page: Page): Promise<void> {
  await page.route(/\/engine-[^/]+\.js$/u, async (route) => {
    const response = await route.fetch()
    const engine = NOT_OF_THE_GROUP.reduce(withoutNotes, await response.text())
    await route.fulfill({ response, body: `(${noteInWorker.toString()})(${MASK});\n${engine}` })
  })
}

/** The engine that is in a conference: a page that has entered one may have another, which only answers questions. */
export async function engineOf(page: Page): Promise<Worker> {
  for (const worker of page.workers()) {
    if (await worker.evaluate(() => (globalThis as Noting).notes.imported.length > 0)) return worker
  }
  throw new Error("no engine of this page has used a key")
}

export async function notedSecrets(engine: Worker): Promise<NotedSecrets> {
  const { wiped, imported, sent } = await engine.evaluate(() => (globalThis as Noting).notes)
  return { wiped: unmasked(wiped), imported: unmasked(imported), sent: unmasked(sent) }
}

/** Has the engine keep a copy of a secret, as a fault would. */
export async function plant(engine: Worker, secret: Buffer): Promise<void> {
  const bytes = [...secret].map((byte) => byte ^ MASK)
  await engine.evaluate(
    ([bytes, mask]) => {
      const kept = new Uint8Array(1000)
      kept.set(
        bytes.map((byte) => byte ^ mask),
        333,
      )
      ;(globalThis as Noting).planted = kept
    },
    [bytes, MASK] as const,
  )
}

/** Empties what the page and its engine no longer use, which needs `--js-flags=--expose-gc`. */
export async function collectGarbage(page: Page, engine: Worker): Promise<void> {
  // Outside of any call, so that nothing on the stack is taken for a reference.
  const collect = (): Promise<void> =>
    (globalThis as unknown as { gc: (how: { execution: "async" }) => Promise<void> }).gc({ execution: "async" })
  await page.evaluate(collect)
  await engine.evaluate(collect)
}

function withoutNotes(engine: string, place: RegExp): string {
  if (engine.search(place) === -1) throw new Error(`The engine is built differently now: it has no ${place.source}.`)
  return engine.replaceAll(place, "$&,0")
}

function unmasked(notes: readonly string[]): Buffer[] {
  return notes.map((note) => Buffer.from(note, "latin1").map((byte) => byte ^ MASK) as Buffer)
}

/** Runs in the worker, before the engine. */
function noteInWorker(mask: number): void {
  const notes: Notes = { wiped: [], imported: [], sent: [] }
  ;(globalThis as Noting).notes = notes
  const masked = (bytes: Uint8Array): string => {
    let text = ""
    for (const byte of bytes) text += String.fromCharCode(byte ^ mask)
    return text
  }
  const bytesOf = (value: ArrayBuffer | ArrayBufferView): Uint8Array =>
    ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value)

  const everyArray: Pick<Uint8Array, "fill"> = Uint8Array.prototype
  const { fill } = everyArray
  everyArray.fill = function (this: Uint8Array, value: number, ...range: number[]) {
    // Random bytes are hardly ever alike: so this is no label and no counter.
    const isSecret = value === 0 && range.length === 0 && this.length === 32 && new Set(this).size > 20
    if (isSecret) notes.wiped.push(masked(this))
    return fill.call(this, value, ...range)
  } as typeof fill

  const { importKey } = crypto.subtle
  crypto.subtle.importKey = function (this: SubtleCrypto, ...input: Parameters<typeof importKey>) {
    const [format, key, algorithm] = input as unknown as [string, ArrayBufferView, unknown]
    if (format === "raw" && algorithm === "AES-GCM") notes.imported.push(masked(bytesOf(key)))
    return importKey.apply(this, input)
  } as typeof importKey

  const noteSent = (value: unknown): void => {
    if (typeof value === "string") notes.sent.push(masked(new TextEncoder().encode(value)))
    else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) notes.sent.push(masked(bytesOf(value)))
    else if (value instanceof Map || value instanceof Set) for (const each of value) noteSent(each)
    else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) noteSent(each)
  }
  for (const sender of [globalThis, MessagePort.prototype, BroadcastChannel.prototype]) {
    const { postMessage } = sender as { postMessage: (...input: unknown[]) => void }
    ;(sender as { postMessage: unknown }).postMessage = function (this: unknown, ...input: unknown[]) {
      noteSent(input[0])
      return postMessage.apply(this, input)
    }
  }
}
