import type { KeyAgreement, PrimeOrderGroup } from "@keymoot/gke"
import { Harness, type View } from "@keymoot/gke/testing"
import type { MemberId } from "@keymoot/transport"

/** Members in memory. The network delivers what view synchrony allows. */
export type AgreementWorld = { readonly harness: Harness; readonly start: (name: string) => MemberId }

export function agreementWorld(group: PrimeOrderGroup, create: (self: MemberId) => KeyAgreement): AgreementWorld {
  const harness = new Harness(group, { seed: "conformance", create })
  return { harness, start: (name) => harness.start(name) }
}

/** Every kind of membership event. Yields each view when all its messages have been delivered. */
export function* runEvents(
  harness: Harness,
  start: AgreementWorld["start"],
): Iterable<{ readonly event: string; readonly view: View }> {
  const view = (event: string, members: readonly MemberId[]) => ({ event, view: harness.change(members).view })
  const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(start) as [MemberId, MemberId, MemberId, MemberId, MemberId]
  yield view("one member alone", [a])
  yield view("a join", [a, b])
  yield view("two joins at once", [a, b, c, d])
  yield view("the same members", [a, b, c, d])
  yield view("the first member leaves", [b, c, d])
  yield view("the last member leaves", [b, c])
  yield view("a partition", [b])
  yield view("the other side", [c, d])
  yield view("a merge with a newcomer", [a, b, c, d, e])
  harness.startAs(c)
  yield view("a reload", [a, b, c, d, e])
  harness.propose([a, b])
  yield view("a proposal that was given up", [a, b, c, d])
  // The agreement of this view has begun when members leave it.
  harness.install(harness.propose([a, b, c, d, e]))
  for (const sender of harness.sendersWaiting(b).slice(0, 1)) harness.deliverNext(b, sender)
  yield view("a cascade", [b, c, d, e])
  const many = Array.from({ length: 8 }, (_, i) => start(`m${i}`))
  yield view("eight joins at once", [b, c, d, e, ...many])
  yield view("seven leaves at once", [b, c, ...many.slice(0, 3)])
}

/**
 * Lets a member follow a view that it is not in, as a listener with the module's code could. It adds itself to the
 * members, and takes every attachment and message.
 * @returns the secrets that it computes
 */
export function followed(
  agreement: KeyAgreement,
  self: MemberId,
  { sid, proposal, members: inside, attachments: seen, log, unicasts }: View,
  random: () => Uint8Array,
): string[] {
  const members = [...inside, self].sort()
  const attachments = new Map(seen)
  const secrets: string[] = []
  const take = (outputs: ReturnType<KeyAgreement["step"]>): void => {
    for (const output of outputs) {
      if (output.type === "contribution") attachments.set(self, output.bytes)
      if (output.type === "secret")
        secrets.push(Array.from(output.secret, (byte) => byte.toString(16).padStart(2, "0")).join(""))
    }
  }
  take(agreement.step({ type: "contribute", proposal, members, random: random() }))
  take(agreement.step({ type: "view", view: { sid, self, members, proposal, attachments }, random: random() }))
  for (const { from, bytes } of log) take(agreement.step({ type: "message", from, via: "multicast", bytes }))
  for (const { from, bytes } of unicasts) take(agreement.step({ type: "message", from, via: "unicast", bytes }))
  return secrets
}
