import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { Role } from "../../src/api/index.ts"
import { Sending, type SendingConfig } from "../../src/content/sending.ts"
import type { Outbound, Permission } from "../../src/driver/outbox.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"

const VIEW = { members: [] } as unknown as View
const REQUESTER = { request: null, outcome: { take: () => undefined } }
const MESSAGE = { id: "", channel: "chat", payload: new Uint8Array(1), service: "fifo" } as const

/** A member whose role is `now` by the present statements and `inView` in the view. `verdicts`: as its outbox gets them. */
function sending(now: Role, inView: Role) {
  const sent: Outbound[] = []
  const config = {
    self: "a" as MemberId,
    driver: { send: (outbound: Outbound) => sent.push(outbound) },
    rules: { role: () => now, roleIn: () => inView },
    clock: { now: () => 0 },
    faults: { fail: (error: unknown) => expect.fail(String(error)) },
  } as unknown as SendingConfig
  const verdicts = (): (string | undefined)[] => sent.map(({ permission }) => textOf(permission?.(VIEW) ?? "now"))
  return { sending: new Sending(config), verdicts }
}

const textOf = (permission: Permission): string => (typeof permission === "string" ? permission : permission.code)

test("holds what changes content until the view with the new role", () => {
  const member = sending("editor", "viewer")
  member.sending.send({ ...MESSAGE, kind: MessageKind.message }, REQUESTER)
  member.sending.send({ ...MESSAGE, kind: MessageKind.awareness }, REQUESTER)
  void member.sending.sendPiece("log", MessageKind.logChunk, new Uint8Array(1))
  expect(member.verdicts()).toEqual(["later", "now", "later"])
})

test("fails what waits when a host makes the member a viewer", () => {
  const member = sending("viewer", "viewer")
  void member.sending.sendPiece("log", MessageKind.logChunk, new Uint8Array(1))
  expect(member.verdicts()).toEqual(["not-permitted"])
  expect(() => member.sending.send({ ...MESSAGE, kind: MessageKind.message }, REQUESTER)).toThrow(
    "Ask a host to make you an editor.",
  )
})
