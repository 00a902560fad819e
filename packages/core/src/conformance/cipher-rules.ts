import { isOwnModule } from "../api/index.ts"
import { type Aead, AEAD_KEY_BYTES, AEAD_NONCE_BYTES, AEAD_TAG_BYTES, type DataCipher } from "../ciphers/aead.ts"
import { equalBytes } from "../wire/index.ts"
import { type BrokenRule, brokenRules } from "./broken-rule.ts"

/** Around the block sizes of usual ciphers, a chunk of a file, and the largest batch. */
const LENGTHS = [0, 1, 15, 16, 17, 63, 64, 65, 255, 16_320, 262_144]
const KEY = pattern(AEAD_KEY_BYTES, 1)
const NONCE = pattern(AEAD_NONCE_BYTES, 2)
const DATA = pattern(70, 3)
const TEXT = pattern(64, 4)

export type CipherRule =
  /** `name` is `own:` and 1 to 60 of the characters a to z, 0 to 9, `.` and `-`. */
  | "name"
  /** `open` returns what `seal` was given, for texts and associated data of any length. */
  | "round-trip"
  /** A sealed text has 16 bytes more. */
  | "length"
  /** A sealed text does not contain the text, and another key or nonce gives another one. */
  | "secrecy"
  /** The same inputs give the same bytes. Holders of a file depend on it. */
  | "deterministic"
  /** `open` returns null if any byte was changed. */
  | "tampering"
  /** `open` returns null if bytes are missing or were added, also for very short inputs. It never throws. */
  | "truncation"
  /** `open` returns null under another nonce. */
  | "nonce"
  /** `open` returns null with other associated data. */
  | "associated-data"
  /** `open` returns null under another key. */
  | "key"
  /** `create` copies the key. The caller then overwrites its array. */
  | "key-copy"
  /** No function changes its arguments. */
  | "arguments"
  /** A later call does not change an earlier result, and calls may overlap. */
  | "results"
  /** `erase` ends one instance, and no other one with the same key. */
  | "erase"

/**
 * Tests a cipher against what a conference demands of it. It cannot show that the cipher is secure, nor that `erase`
 * overwrites the key.
 * @returns the broken rules; none for a cipher that conforms
 */
export async function checkCipher(cipher: DataCipher): Promise<BrokenRule<CipherRule>[]> {
  return brokenRules<DataCipher, CipherRule>(cipher, {
    name,
    "round-trip": roundTrip,
    length,
    secrecy,
    deterministic,
    tampering,
    truncation,
    nonce: async function* (module) {
      for (const at of NONCE.keys())
        yield* opensAnyway(module, { nonce: flipped(NONCE, at) }, `byte ${at} of the nonce`)
    },
    "associated-data": async function* (module) {
      for (const at of DATA.keys()) yield* opensAnyway(module, { data: flipped(DATA, at) }, `byte ${at} of the data`)
      yield* opensAnyway(module, { data: DATA.subarray(1) }, "the first byte left out")
      yield* opensAnyway(module, { data: Uint8Array.of(...DATA, 0) }, "a zero added to the data")
    },
    key: async function* (module) {
      for (const at of KEY.keys()) yield* opensAnyway(module, { key: flipped(KEY, at) }, `byte ${at} of the key`)
    },
    "key-copy": keyCopy,
    arguments: unchangedArguments,
    results,
    erase,
  })
}

/** Sealed bytes of `TEXT`. */
const sealedText = async (cipher: DataCipher): Promise<Uint8Array> => made(cipher).seal(NONCE, DATA, TEXT)

async function* name({ name: given }: DataCipher) {
  if (!isOwnModule(given)) yield `"${given}"`
}

async function* roundTrip(cipher: DataCipher) {
  const aead = made(cipher)
  for (const [bytes, dataBytes] of [
    ...LENGTHS.map((each) => [each, 70] as const),
    [64, 0],
    [0, 0],
    [64, 1000],
  ] as const) {
    const [text, data] = [pattern(bytes, 5), pattern(dataBytes, 6)]
    const opened = await aead.open(NONCE, data, await aead.seal(NONCE, data, text))
    if (!opened || !equalBytes(opened, text)) yield `${bytes} bytes with ${dataBytes} bytes of associated data`
  }
}

async function* length(cipher: DataCipher) {
  const aead = made(cipher)
  for (const bytes of LENGTHS) {
    const sealed = await aead.seal(NONCE, DATA, pattern(bytes, 5))
    if (sealed.length !== bytes + AEAD_TAG_BYTES) yield `${bytes} bytes become ${sealed.length}`
  }
}

async function* secrecy(cipher: DataCipher) {
  const sealed = await sealedText(cipher)
  if (hex(sealed).includes(hex(TEXT.subarray(0, 16)))) yield "the text is in it"
  const others = [
    made(cipher, flipped(KEY, 0)).seal(NONCE, DATA, TEXT),
    made(cipher).seal(flipped(NONCE, 0), DATA, TEXT),
  ]
  for (const [i, other] of (await Promise.all(others)).entries())
    if (equalBytes(other.subarray(0, TEXT.length), sealed.subarray(0, TEXT.length)))
      yield `another ${i === 0 ? "key" : "nonce"} gives the same ciphertext`
}

async function* deterministic(cipher: DataCipher) {
  const first = await sealedText(cipher)
  const aead = made(cipher)
  for (let i = 0; i < 2; i++)
    if (!equalBytes(await aead.seal(NONCE, DATA, TEXT), first)) yield "the same text was sealed differently"
}

async function* tampering(cipher: DataCipher) {
  const [aead, sealed] = [made(cipher), await sealedText(cipher)]
  for (const at of sealed.keys())
    for (const bit of [1, 0x80])
      if (await aead.open(NONCE, DATA, flipped(sealed, at, bit))) yield `byte ${at} of ${sealed.length} was changed`
}

async function* truncation(cipher: DataCipher) {
  const [aead, sealed] = [made(cipher), await sealedText(cipher)]
  for (let kept = 0; kept < sealed.length; kept++) {
    if ((await aead.open(NONCE, DATA, sealed.subarray(0, kept))) !== null) yield `the first ${kept} bytes are opened`
    if ((await aead.open(NONCE, DATA, pattern(kept, 7))) !== null) yield `${kept} arbitrary bytes are opened`
  }
  if ((await aead.open(NONCE, DATA, Uint8Array.of(...sealed, 0))) !== null) yield "a byte was added"
}

/** Yields `what` if `sealedText` opens with other inputs. */
async function* opensAnyway(
  cipher: DataCipher,
  other: { readonly key?: Uint8Array; readonly nonce?: Uint8Array; readonly data?: Uint8Array },
  what: string,
) {
  const aead = made(cipher, other.key)
  if (await aead.open(other.nonce ?? NONCE, other.data ?? DATA, await sealedText(cipher))) yield what
}

async function* keyCopy(cipher: DataCipher) {
  const expected = await sealedText(cipher)
  const key = KEY.slice()
  const aead = cipher.create(key)
  if (!equalBytes(key, KEY)) yield "`create` changed the caller's array"
  key.fill(0)
  if (!(await aead.open(NONCE, DATA, expected))) yield "the caller's array is still in use"
}

async function* unchangedArguments(cipher: DataCipher) {
  const [nonce, data, text] = [NONCE.slice(), DATA.slice(), TEXT.slice()]
  const aead = made(cipher)
  const sealed = await aead.seal(nonce, data, text)
  const given = sealed.slice()
  await aead.open(nonce, data, given)
  for (const [what, now, before] of [
    ["the nonce", nonce, NONCE],
    ["the associated data", data, DATA],
    ["the text", text, TEXT],
    ["the sealed text", given, sealed],
  ] as const)
    if (!equalBytes(now, before)) yield `${what} was changed`
}

async function* results(cipher: DataCipher) {
  const aead = made(cipher)
  const texts = [pattern(64, 8), pattern(64, 9), pattern(64, 10)]
  const sealed = await Promise.all(texts.map((text) => aead.seal(NONCE, DATA, text)))
  const opened = await Promise.all(sealed.map((each) => aead.open(NONCE, DATA, each)))
  for (const [i, text] of texts.entries())
    if (!opened[i] || !equalBytes(opened[i], text)) yield `result ${i + 1} of ${texts.length}`
}

async function* erase(cipher: DataCipher) {
  const [sealed, kept, erased] = [await sealedText(cipher), made(cipher), made(cipher)]
  await erased.seal(NONCE, DATA, TEXT)
  erased.erase()
  if (!(await kept.open(NONCE, DATA, sealed))) yield "another instance cannot open any more"
}

function made(cipher: DataCipher, key: Uint8Array = KEY): Aead {
  return cipher.create(key.slice())
}

/** Bytes that differ from their neighbours, and for each `seed`. */
function pattern(bytes: number, seed: number): Uint8Array {
  return Uint8Array.from(
    { length: bytes },
    (_, i) => (Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b)) >>> 13,
  )
}

function flipped(bytes: Uint8Array, at: number, bit = 1): Uint8Array {
  return bytes.with(at, bytes[at]! ^ bit)
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
