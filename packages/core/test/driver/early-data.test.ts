import { decodeFrame, decodeLinkMessage, encodeLinkMessage, type View } from "@keymoot/transport"
import { expect, onTestFinished, test, vi } from "vitest"
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { signFrame } from "../../src/frames/frame-opener.ts"
import { Epoch } from "../../src/multicast/epoch.ts"
import { EARLY_BYTES_MAX, EARLY_FRAME_COST_BYTES, EarlyData, type FrameInput } from "../../src/driver/early-data.ts"
import { type DriverMember, DriverRoom } from "./driver-harness.ts"

const PATIENCE = { timeout: 10_000 }
const CONFERENCE = "00112233445566778899aabbccddeeff"

type Keyed = {
  readonly room: DriverRoom
  readonly view: View
  readonly epochKey: Uint8Array
  readonly prove: () => void
}

/** Members with authenticity `group` and one key, of which none has sent its proof. */
async function keyed(names: readonly string[]): Promise<Keyed & { readonly members: readonly DriverMember[] }> {
  let [epochKey, proofs]: [Uint8Array, (() => void)[]] = [new Uint8Array(0), []]
  const ignore = (): void => undefined
  const onKeyed = (_: View, bytes: Uint8Array): void => void (epochKey = bytes.slice())
  const onceInstalled = (proof: () => void): void => void proofs.push(proof)
  const media = { onAgreeing: ignore, onSecured: ignore, onKeyed, onceInstalled }
  const room = new DriverRoom({ authenticity: "group", media })
  onTestFinished(() => room.close())
  const members: DriverMember[] = []
  for (const name of names) members.push(await room.join(name))
  const isKeyed = ({ driver, events }: DriverMember): boolean =>
    driver.view.members.length === names.length && events.at(-1)?.type === "keyed"
  await vi.waitFor(() => expect(members.every(isKeyed)).toBe(true), PATIENCE)
  proofs = proofs.splice(-names.length)
  const prove = (): void => proofs.forEach((proof) => proof())
  return { room, members, view: members[0]!.driver.view, epochKey, prove }
}

function kindOf(bytes: Uint8Array): string | null {
  const message = decodeLinkMessage(bytes)
  return message?.type === "frame" ? decodeFrame(message.bytes)!.kind : null
}

/** A data frame in the name of `origin`, under the number of its next frame. Any member with the key can make it. */
async function forge({ room, view, epochKey }: Keyed, origin: DriverMember): Promise<Uint8Array> {
  const numbers = room.sent.flatMap(({ bytes }) => {
    const message = decodeLinkMessage(bytes)
    const frame = message?.type === "frame" ? decodeFrame(message.bytes) : null
    return frame?.view === view.id && frame.origin === origin.id ? [frame.sequence] : []
  })
  const sequence = Math.max(0, ...numbers) + 1
  const epoch = new Epoch({
    view,
    conferenceId: CONFERENCE,
    self: origin.id,
    epochKey: epochKey.slice(),
    cipher: aesGcm,
    authenticity: "group",
  })
  const body = (await epoch.seal(sequence, "fifo", new Uint8Array(256)))!
  const header = {
    conferenceTag: new Uint8Array(32),
    view: view.id,
    origin: origin.id,
    service: "fifo",
    sequence,
  } as const
  const payload = { kind: "data", message: { dependencies: [], body } } as const
  const frame = await signFrame(header, payload, (bytes) => epoch.authenticator!.tag(bytes))
  return encodeLinkMessage({ type: "frame", bytes: frame.bytes })
}

/** A member has handled all frames that came from `peer` before. */
async function handled(member: DriverMember, peer: DriverMember): Promise<void> {
  member.driver.handle({ type: "frame", peer: peer.id, bytes: new Uint8Array(1) })
  const isReported = ({ events }: DriverMember): boolean =>
    events.some((event) => event.type === "security" && event.event.code === "bad-frame")
  await vi.waitFor(() => expect(isReported(member)).toBe(true), PATIENCE)
}

test("accepts a key proof when another member forged data under its number before", async () => {
  const group = await keyed(["Ada", "Bob", "Eve"])
  const [ada, bob, eve] = group.members as [DriverMember, DriverMember, DriverMember]
  bob.driver.handle({ type: "frame", peer: eve.id, bytes: await forge(group, ada) })
  await handled(bob, eve)
  group.prove()
  const isSecuredHere = ({ isSecured, driver }: DriverMember): boolean => isSecured && driver.view.id === group.view.id
  await vi.waitFor(() => expect(group.members.every(isSecuredHere)).toBe(true), PATIENCE)
  await ada.say("hello")
  await vi.waitFor(() => expect(bob.texts).toEqual(["hello"]), PATIENCE)
})

test("delivers data that came before the view was secured here", async () => {
  const group = await keyed(["Ada", "Bob"])
  const [ada, bob] = group.members as [DriverMember, DriverMember]
  // Ada's proof comes to Bob only after her data.
  const late: (() => void)[] = []
  let hasSpoken = false
  group.room.tamper = ({ to, bytes }) => {
    const kind = kindOf(bytes)
    if (to === bob.id && kind === "data") hasSpoken = true
    return to === bob.id && kind === "agreement" ? new Promise((resolve) => late.push(() => resolve(bytes))) : bytes
  }
  group.prove()
  void ada.say("hello")
  await vi.waitFor(() => expect(hasSpoken).toBe(true), PATIENCE)
  await handled(bob, ada)
  // It is not sent again.
  group.room.mute(ada, "data")
  for (const arrive of late) arrive()
  await vi.waitFor(() => expect(bob.texts).toEqual(["hello"]), PATIENCE)
})

test.for([
  [4, EARLY_BYTES_MAX / 4 - EARLY_FRAME_COST_BYTES],
  [EARLY_BYTES_MAX / EARLY_FRAME_COST_BYTES, 0],
] as const)("holds no more than %i early frames when each has %i bytes", ([framesMax, length]) => {
  const early = new EarlyData()
  const input = { type: "frame", frame: { bytes: new Uint8Array(length) } } as FrameInput
  for (let i = 0; i < framesMax + 2; i++) early.hold(input)
  expect(early.take()).toHaveLength(framesMax)
  expect(early.take()).toEqual([])
})
