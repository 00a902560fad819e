/** docs/protocol/v1.md against the code: its numbers, and its handshake, computed here as the document says. */
import { readFileSync } from "node:fs"
import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { ed25519, x25519 } from "@noble/curves/ed25519.js"
import { hkdf } from "@noble/hashes/hkdf.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { encodeControl } from "../../src/network/messages/control.ts"
import { encodeSignal } from "../../src/network/messages/signal.ts"
import { encodeDiscovery, encodeOverlayMessage } from "../../src/overlay/index.ts"
import { SERVICES } from "../../src/testing/simulation/plain-traffic.ts"
import { PROTOCOL } from "../../src/network/shared/protocol.ts"
import { encodeDirect, encodeLinkMessage } from "../../src/wire/frame.ts"
import { ends, shake, type End } from "../network/association/handshake.ts"
import { conferenceId, descriptorHash, invitation } from "../network/member.ts"
import { controls, signals } from "../network/sample-messages.ts"
import * as overlay from "../overlay/sample-messages.ts"
import { ada, bytesOf, overlaySession, session, signed, upperLayer } from "../wire/sample-session.ts"

const document = readFileSync(new URL("../../../../docs/protocol/v1.md", import.meta.url), "utf8")

function section(heading: string): string {
  const [, rest] = document.split(new RegExp(`^#+ ${heading}$`, "mu"))
  if (rest === undefined) throw new Error(`no section ${heading}`)
  return rest.split(/^#+ /mu)[0]!
}

type Numbers = Readonly<Record<string, number>>

/** The first column of its tables and, beside it or in it, what the number stands for. */
function numbersIn(heading: string): Numbers {
  const rows = section(heading).matchAll(/^\| (\d+) \| (\w+) \|/gmu)
  return Object.fromEntries([...rows].map(([, number, name]) => [name!, Number(number)]))
}
/** Parses a text like "none 0, unreliable 1", or "`0` none (…), `1` unreliable". */
function numbersOf(text: string, order: RegExp, name: 1 | 2): Numbers {
  return Object.fromEntries([...text.matchAll(order)].map((found) => [found[name]!, Number(found[3 - name])]))
}
function made<T extends { readonly kind: string }>(all: readonly T[], encode: (each: T) => Uint8Array): Numbers {
  return Object.fromEntries(all.map((each) => [each.kind, encode(each)[0]!]))
}

test("the tags in the document are the codecs'", () => {
  const links = [...session, ...overlaySession].map((step) => [step.message.type, bytesOf(step)[0]!] as const)
  const outOfGroup = encodeLinkMessage({ type: "outOfGroup", bytes: new Uint8Array() })
  const direct = encodeDirect(new Uint8Array())
  expect(numbersIn("Link messages")).toEqual({
    ...Object.fromEntries(links),
    outOfGroup: outOfGroup[0],
    direct: direct[0],
  })
  expect(numbersIn("Overlay")).toEqual(made(overlay.messages, encodeOverlayMessage))
  const discovery = /A discovery message is (.*?)\n/su.exec(section("Overlay"))![1]!
  expect(numbersOf(discovery, /`(\d)` (\w+)/gu, 2)).toEqual(made(overlay.discovery, encodeDiscovery))
  expect(numbersIn("Hop frame")).toEqual(made(controls, encodeControl))
  expect(numbersIn("In the room")).toEqual(made(signals, encodeSignal))
})

test("has the kinds and services of frames in the document", () => {
  const frames = [...session, ...upperLayer].flatMap(({ frame }) => frame ?? [])
  const kinds = [...section("Frame").matchAll(/^\| (\d+ \w+(?:, \d+ \w+)*) \|/gmu)].map(([, cell]) => cell).join()
  const made = frames.map(({ kind, staticPart }) => [kind, staticPart[1]!] as const)
  expect(numbersOf(kinds, /(\d+) (\w+)/gu, 2)).toEqual(Object.fromEntries(made))
  const services = /^\| service \| 1: (.*) \|$/mu.exec(section("Frame"))![1]!
  const message = { dependencies: [], body: new Uint8Array() }
  const sent = (["none", ...SERVICES] as const).map((service) => {
    const { staticPart } = signed({ origin: ada.id, view: frames[0]!.view, service }, { kind: "data", message })
    // Behind version, kind, conference tag, view and origin.
    return [service, staticPart[1 + 1 + 32 + 32 + 16]!] as const
  })
  expect(numbersOf(services, /(\w+) (\d)/gu, 1)).toEqual(Object.fromEntries(sent))
})

test("the version in the document is the one that is spoken", () => {
  const [, major] = /^This is major version (\d+)\./mu.exec(section("Versions"))!
  expect(Number(major)).toBe(PROTOCOL.major)
})

const KEY_BYTES = 32
const CONFIRMED = "keymoot/1 association confirmed"

function u16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 255)
}
function u64(value: number): Uint8Array {
  return Uint8Array.of(0, 0, 0, 0, 0, 0, ...u16(value))
}
function scoped(label: string, ...rest: readonly Uint8Array[]): Uint8Array {
  return concatBytes(utf8ToBytes(`keymoot/1 ${label}\0`), conferenceId, descriptorHash, ...rest)
}

test("the handshake and the hop frame are what the document says", () => {
  const pair = ends()
  const secret = pair.initiator.config.ephemeralSecret.slice()
  const sent = { initiator: [] as Uint8Array[], responder: [] as Uint8Array[] }
  shake(pair, (from, bytes) => {
    sent[from].push(bytes)
    return [bytes]
  })
  const [open, proof, confirmation] = sent.initiator as [Uint8Array, Uint8Array, Uint8Array]
  const openings = [open, sent.responder[0]!]
  expect(openings.map((bytes) => [...bytes.subarray(0, 6)])).toEqual([
    [1, 0, 1, 0, 1, 1],
    [1, 0, 1, 0, 2, 1],
  ])

  const partyOf = ({ config }: End, opening: Uint8Array): Uint8Array => {
    const { certificate, incarnation, fingerprint } = config.own
    const told = hexToBytes(fingerprint)
    const named = [u16(certificate.length), certificate, u64(incarnation), Uint8Array.of(told.length), told]
    return concatBytes(...named, opening.subarray(1, 4), opening.subarray(6))
  }
  const parties = [partyOf(pair.initiator, openings[0]!), partyOf(pair.responder, openings[1]!)]
  const hash = sha256(scoped("association transcript", Uint8Array.of(1), u64(1), ...parties))
  const shared = x25519.getSharedSecret(secret, openings[1]!.subarray(6, 6 + KEY_BYTES))
  const keys = hkdf(sha256, shared, hash, utf8ToBytes("keymoot/1 association keys"), 6 * KEY_BYTES + 8)
  const [proofKey, , reliableKey] = [0, 1, 2].map((i) => keys.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES))
  const associationId = keys.subarray(6 * KEY_BYTES)

  const { certificate, credential } = pair.initiator.identity
  const told = chacha20poly1305(proofKey!, new Uint8Array(12), hash).decrypt(proof.subarray(1))
  const mac = hmac(sha256, invitation.association, scoped("association mac initiator", hash))
  const signature = told.subarray(-64)
  expect(proof[0]).toBe(2)
  expect(told).toEqual(concatBytes(u16(certificate.length), certificate, Uint8Array.of(1), mac, signature))
  expect(ed25519.verify(signature, scoped("association initiator", hash), credential.publicKey)).toBe(true)

  const header = concatBytes(Uint8Array.of(3), associationId, u64(0))
  expect(confirmation.subarray(0, header.length)).toEqual(header)
  const nonce = concatBytes(new Uint8Array(4), u64(0))
  const said = chacha20poly1305(reliableKey!, nonce, header).decrypt(confirmation.subarray(header.length))
  expect(said).toEqual(utf8ToBytes(CONFIRMED))
})
