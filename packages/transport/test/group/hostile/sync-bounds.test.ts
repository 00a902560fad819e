import { expect, test } from "vitest"
import { digestOfMembers, voidViewId } from "../../../src/view/view.ts"
import type { MemberId } from "../../../src/members/ids.ts"
import { Neighbours } from "../../../src/liveness/neighbours.ts"
import { CoreContext } from "../../../src/membership/core-context.ts"
import { Coordinator } from "../../../src/membership/coordinator.ts"
import { SYNCS_BYTES_MAX } from "../../../src/membership/sync-bounds.ts"
import { MESSAGE_BYTES_MAX } from "../../../src/bounds/network-bounds.ts"
import { FrameStore } from "../../../src/ordering/frame-store.ts"
import { GlobalOrder, syncEntriesMax } from "../../../src/ordering/global-order.ts"
import { decodeFrame, encodeFrame, encodeStaticPart } from "../../../src/wire/frame.ts"
import {
  ATTACHMENT_BYTES_MAX,
  MEMBERS_MAX,
  ORDER_ENTRIES_MAX,
  type MemberInstance,
  type ProposalId,
  type Sync,
} from "../../../src/wire/messages.ts"
import type { SyncFrame } from "../../../src/membership/decision.ts"
import { numbered, times } from "../cores.ts"

const conferenceTag = new Uint8Array(32)

function entries(count: number): Sync["order"] {
  return Array.from({ length: count }, (_, i) => ({ sender: 0, sequence: i + 1, digest: new Uint8Array(32) }))
}

function syncOf(
  proposal: ProposalId,
  members: readonly MemberInstance[],
  self: MemberInstance,
  said: Partial<Sync>,
): Sync {
  const none = {
    features: [],
    received: [0],
    orderFirst: 0,
    order: [],
    deliveredOrder: 0,
    attachment: new Uint8Array(200),
  }
  const place = { proposal, membersDigest: digestOfMembers(members), previousView: voidViewId(self), incarnation: 1 }
  return { ...place, ...none, receivedDigest: new Uint8Array(32), nonce: new Uint8Array(16), ...said }
}

/** The lowest of them proposes; every other one answers, `lying` ones with as much as a SYNC can hold. */
function gather(members: readonly MemberInstance[], lying: readonly MemberId[]) {
  const [self] = members as [MemberInstance]
  const config = { self, conferenceTag, epochFloor: 0, ...times }
  const blamed = new Set<MemberId>()
  class RecordingContext extends CoreContext {
    override blame(member: MemberId): void {
      blamed.add(member)
    }
  }
  const context = new RecordingContext(config, new Neighbours(self.id, times))
  const coordinator = new Coordinator(context)
  const proposal = { epoch: 1, coordinator: self.id }
  coordinator.propose(1, members, 0)
  for (const member of members) {
    const most = { order: entries(ORDER_ENTRIES_MAX), attachment: new Uint8Array(ATTACHMENT_BYTES_MAX) }
    const message = syncOf(proposal, members, member, lying.includes(member.id) ? most : {})
    const header = {
      conferenceTag,
      view: message.previousView,
      origin: member.id,
      service: "none",
      sequence: 0,
    } as const
    const bytes = encodeFrame(encodeStaticPart({ ...header, kind: "sync", message }), new Uint8Array(64))
    coordinator.onSync(decodeFrame(bytes) as SyncFrame, 10)
  }
  const sent = context.takeOutputs().flatMap((output) => (output.type === "sign" ? [output.payload] : []))
  return { blamed, sent }
}

test("excludes members whose SYNCs exceed one message, and the others get a view", () => {
  const members = Array.from({ length: 40 }, (_, i) => ({ id: numbered(i), incarnation: 1 }))
  const lying = members.slice(10).map(({ id }) => id)
  const { blamed, sent } = gather(members, lying)
  expect(sent.map(({ kind }) => kind)).toEqual(["propose"])
  expect(blamed.size).toBeGreaterThan(0)
  for (const id of blamed) expect(lying).toContain(id)
  const rest = members.filter(({ id }) => !blamed.has(id))
  const again = gather(rest, lying)
  expect([...again.blamed]).toEqual([])
  const last = again.sent.at(-1)!
  expect(last.kind).toBe("install")
  const bytes = encodeStaticPart({
    conferenceTag,
    view: voidViewId(members[0]!),
    origin: members[0]!.id,
    service: "none",
    sequence: 0,
    ...last,
  })
  expect(bytes.length).toBeLessThan(MESSAGE_BYTES_MAX)
})

test.each([2, 24, 64, 128, 300, MEMBERS_MAX])(
  "the SYNCs of %i honest members fit, as much as each may have to say",
  (count) => {
    const members = Array.from({ length: count }, (_, i) => ({ id: numbered(i % 200), incarnation: 1 }))
    const said = { received: members.map(() => 1000), order: entries(syncEntriesMax(count)) }
    const sync = syncOf({ epoch: 1, coordinator: members[0]!.id }, members, members[0]!, said)
    const header = {
      conferenceTag,
      view: sync.previousView,
      origin: members[0]!.id,
      service: "none",
      sequence: 0,
    } as const
    const frame = encodeFrame(encodeStaticPart({ ...header, kind: "sync", message: sync }), new Uint8Array(64))
    expect(count * frame.length).toBeLessThan(SYNCS_BYTES_MAX)
  },
)

test.each([4, 300])("the last of %i members with room takes the sequencer's messages meanwhile", (n) => {
  const order = new GlobalOrder(new FrameStore(n))
  const made = entries(syncEntriesMax(n))
  while (!order.full) order.append(made[order.length]!)
  const quarter = order.length
  expect(quarter).toBe(Math.floor(made.length / 4))
  expect(order.add(quarter, made.slice(quarter, 2 * quarter), false)).toBe("added")
  // Beyond it is in no hurry: a view that ends brings what others know, and as much as that a SYNC can say.
  expect(order.add(2 * quarter, made.slice(2 * quarter, 2 * quarter + 1), false)).toBe("gap")
  expect(order.add(2 * quarter, made.slice(2 * quarter), true)).toBe("added")
})
