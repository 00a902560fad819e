import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { decodeFrame } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import { afterAll, describe, expect, test } from "vitest"
import { VECTORS_FOLDER } from "./published.ts"
import { pythonWithCryptography, runVerifier } from "./python.ts"
import { recordConference, type Recording, RECORDINGS } from "./recorder.ts"

const python = pythonWithCryptography()
if (!python) console.warn("The independent verifier is not run: apt install python3-cryptography")

const folder = mkdtempSync(join(tmpdir(), "keymoot-verifier-"))
afterAll(() => rmSync(folder, { recursive: true }))

function kept(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`recording/${name}.json`, VECTORS_FOLDER), "utf8")) as Recording
}
const recording = kept("conference")

/** The text with another hex digit at this place, negative ones counted from the end. */
function changed(text: string, at: number): string {
  const place = at < 0 ? text.length + at : at
  return text.slice(0, place) + (text[place] === "0" ? "1" : "0") + text.slice(place + 1)
}

function kindOf(frame: string): string {
  return decodeFrame(hexToBytes(frame))!.kind
}
const kinds = [...new Set(recording.frames.map(kindOf))]

function withFrame(kind: string, change: (frame: string) => string[]): Recording {
  const at = recording.frames.findIndex((frame) => kindOf(frame) === kind)
  return { ...recording, frames: recording.frames.flatMap((frame, i) => (i === at ? change(frame) : [frame])) }
}

type Draws = Recording["randomness"][number]
function withDraws(of: Recording, change: (draws: Draws) => Draws): Recording {
  return { ...of, randomness: of.randomness.map(change) }
}

const link = recording.link
const secretAt = link.indexOf("#") + 1
/** Recordings with one change each, and what the verifier says about them. */
const tampered: readonly (readonly [change: string, tampered: Recording, complaint: string | RegExp])[] = [
  ...kinds.flatMap((kind) => [
    [
      `the content of ${kind}`,
      withFrame(kind, (frame) => [changed(frame, -129)]),
      `the kind ${kind} has an invalid`,
    ] as const,
    [
      `the signature of ${kind}`,
      withFrame(kind, (frame) => [changed(frame, -2)]),
      `the kind ${kind} has an invalid`,
    ] as const,
  ]),
  ["a data frame omitted", withFrame("data", () => []), "names a frame that is not there"],
  ["an agreement frame omitted", withFrame("agreement", () => []), /are missing|had confirmed|without a key/u],
  ["an ORDER omitted", withFrame("order", () => []), /entries of the ORDER are missing|no place in the ORDER/u],
  ["an INSTALL omitted", withFrame("install", () => []), "is of an unknown view"],
  ["the descriptor", { ...recording, descriptor: changed(recording.descriptor, 400) }, "not the one of its link"],
  [
    "a certificate",
    { ...recording, certificates: recording.certificates.map((each) => changed(each, -2)) },
    "a certificate has",
  ],
  [
    "the link's secret",
    {
      ...recording,
      link: `${link.slice(0, secretAt)}${link[secretAt] === "A" ? "B" : "A"}${link.slice(secretAt + 1)}`,
    },
    "does not",
  ],
  [
    "a share",
    withDraws(recording, ({ module, ...rest }) => ({
      ...rest,
      module: { ...module, share: changed(module.share, 3) },
    })),
    "attached another share",
  ],
  [
    "a share under gdh",
    withDraws(kept("gdh"), ({ module, ...rest }) => ({
      ...rest,
      module: { ...module, share: changed(module.share, 3) },
    })),
    "this member's",
  ],
  [
    "the group secret under ckd",
    withDraws(kept("ckd"), ({ module, ...rest }) => ({
      ...rest,
      module: { ...module, random: changed(module.random, 3) },
    })),
    "a CKD secret is not the one of its commitment",
  ],
  [
    "the post-quantum key of a member",
    withDraws(kept("hybrid"), ({ postQuantum, ...rest }) => {
      return { ...rest, postQuantum: { ...postQuantum!, share: changed(postQuantum!.share, 3) } }
    }),
    "this member's key is not of its randomness",
  ],
  [
    "a text",
    { ...recording, delivered: recording.delivered.map((each, i) => (i === 3 ? { ...each, text: "forged" } : each)) },
    "forged",
  ],
  ["the order of texts", { ...recording, delivered: recording.delivered.toReversed() }, "and the recording says"],
]

/** A field of a file of vectors whose last value is changed, and what the verifier says. */
const changedVectors: readonly (readonly [file: string, field: string, complaint: string])[] = [
  ["identity", "certificate", "a certificate"],
  ["identity", "member", "member is another one"],
  ["key-schedule", "viewId", "the view id is another one"],
  ["key-schedule", "sid", "the sid is another one"],
  ["key-schedule", "epochKey", "the epoch key is another one"],
  ["key-schedule", "senderKey", "a sender's key is another one"],
  ["key-schedule", "confirmation", "a confirmation is another one"],
  ["key-schedule", "majoritySid", "the sid of majority is another one"],
  ["key-schedule", "postQuantumSid", "the post-quantum sid is another one"],
  ["key-schedule", "hybridTranscript", "the hybrid transcript is another one"],
  ...["tgdh", "str", "bd", "gdh", "ckd", "ml-kem"].flatMap((module) => [
    [`key-agreement-${module}`, "secret", "another secret"] as const,
    [`key-agreement-${module}`, "transcript", "another transcript"] as const,
  ]),
  ["association", "transcriptHash", "the transcript's hash is another one"],
  ["association", "fullHash", "the full hash is another one"],
  ["association", "kemSecret", "the secret of ML-KEM is another one"],
  ["association", "frame", "a hop frame does not decrypt"],
  ["room", "advertisement", "an advertisement does not decrypt"],
  ["room", "signal", "a signal has an invalid MAC"],
  ["descriptor", "descriptor", "not the one of its link"],
  ["statements", "vouch", "a vouch has an invalid signature"],
  ["statements", "bytes", "a statement"],
  ["statements", "issuer", "the issuer of a statement is another one"],
  ["statements", "office", "the office of a statement is another one"],
  ["statements", "previous", "the previous of a statement is another one"],
  ["statements", "heard", "the heard of a statement is another one"],
  ["statements", "fingerprint", "the body of a statement is another one"],
  ["files", "hashes", "the list of hashes is another one"],
  ["files", "ticket", "the ticket is another one"],
  ["certificates", "certificate", "the verdict about"],
  ["archive", "archive", "the fault of"],
  ["door", "bytes", "a message at the door does not decrypt"],
  ["media", "frame", "a frame of a call does not decrypt"],
  ["ed25519", "signature", "the verdict about"],
  ["x25519", "publicKey", "the result for"],
  ["content", "body", "a batch does not decrypt"],
  ["content", "associatedData", "the associated data is another one"],
]

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe.skipIf(!python)("the independent verifier", () => {
  test("recomputes all published vectors", () => {
    const { passed, lines } = runVerifier(python!, "vectors", fileURLToPath(VECTORS_FOLDER))
    expect(lines.filter((line) => !line.endsWith("vectors verify"))).toEqual([])
    expect(passed).toBe(true)
  })

  test.each(Object.keys(RECORDINGS))("replays the recording %s up to its texts", (name) => {
    const path = fileURLToPath(new URL(`recording/${name}.json`, VECTORS_FOLDER))
    const { passed, lines } = runVerifier(python!, "recording", path)
    expect(passed, lines.join("\n")).toBe(true)
    expect(lines.at(-1)).toBe(
      `${name}.json: all ${kept(name).delivered.length} texts are those that the member delivered`,
    )
  })

  test.each(["str", "bd"] as const)("replays a conference that is recorded now, under %s", async (module) => {
    const path = write(`${module}.json`, JSON.stringify(await recordConference(module)))
    const { passed, lines } = runVerifier(python!, "recording", path)
    expect(passed, lines.join("\n")).toBe(true)
  })

  test("names each change of a recording", () => {
    const paths = tampered.map(([, each], i) => write(`${i}.json`, JSON.stringify(each)))
    const { lines } = runVerifier(python!, "recording", ...paths)
    for (const [i, [change, , complaint]] of tampered.entries()) {
      const said = lines.filter((line) => line.startsWith(`${i}.json: `)).join("\n")
      expect(said, change).toContain("does not verify: ")
      expect(said, change).toMatch(complaint)
    }
  })

  test("names each change of a vector", () => {
    const folders = changedVectors.map(([file, field], i) => {
      const text = readFileSync(new URL(`${file}.json`, VECTORS_FOLDER), "utf8")
      const at = text.lastIndexOf(`"${field}": "`)
      expect(at, `${file} has ${field}`).toBeGreaterThan(0)
      const end = text.indexOf('"', at + field.length + 5)
      mkdirSync(join(folder, `changed-${i}`))
      write(`changed-${i}/${file}.json`, changed(text, end - 3))
      return join(folder, `changed-${i}`)
    })
    const { lines } = runVerifier(python!, "vectors", ...folders)
    expect(lines).toHaveLength(changedVectors.length)
    for (const [i, [file, field, complaint]] of changedVectors.entries()) {
      expect(lines[i], `${file}: ${field}`).toContain(`${file}.json: does not verify: `)
      expect(lines[i], `${file}: ${field}`).toContain(complaint)
    }
  })
})
