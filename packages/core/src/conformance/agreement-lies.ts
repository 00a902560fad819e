/** Attachments and messages that no honest member makes, and a module's answers to them. */
import type { Harness } from "@keymoot/gke/testing"
import type { MemberId } from "@keymoot/transport"
import type { AgreementWorld } from "./agreement-world.ts"

/** `honest`: the bytes in whose place these are. */
const MALFORMED: readonly (readonly [what: string, of: (honest: Uint8Array) => Uint8Array])[] = [
  ["no bytes", () => new Uint8Array(0)],
  ["one byte", () => Uint8Array.of(255)],
  ["the last byte left out", (honest) => honest.slice(0, -1)],
  ["a byte added", (honest) => Uint8Array.of(...honest, 1)],
  ["10,000 bytes", () => new Uint8Array(10_000).fill(0xa5)],
]
const NAMES = ["a", "b", "c", "d"]

/** Yields what is wrong with the others' answer to one malformed attachment. */
export function* attachmentFaults(world: () => AgreementWorld): Iterable<string> {
  for (const liarName of ["a", "d"])
    for (const [what, of] of MALFORMED) {
      const { harness, start } = world()
      const members = NAMES.map(start)
      harness.change(members)
      const liar = members[NAMES.indexOf(liarName)]!
      const others = members.filter((member) => member !== liar)
      const proposal = harness.propose(members)
      const honest = proposal.attachments.get(liar)!
      proposal.attachments.set(liar, of(honest))
      harness.install(proposal, others)
      harness.settle(others)
      yield* unlike(harness, others, liar, `${what} as attachment`)
    }
}

/** Yields what is wrong with the others' answer to a malformed first message, an altered one, or a message twice. */
export function* messageFaults(world: () => AgreementWorld): Iterable<string> {
  for (const place of [0, 1, 2, 3]) {
    for (const [what, of] of MALFORMED) {
      const lie = firstMessage(world(), place)
      if (!lie) continue
      const { harness, others, liar, honest } = lie
      for (const other of others) harness.inject(other, liar, of(honest))
      const named = (other: MemberId): boolean =>
        harness.faults.some((each) => each.at === other && each.member === liar)
      if (!others.every(named)) yield `${what} as message: not everybody names its sender`
    }
    const count = firstMessage(world(), place)?.honest.length ?? 0
    for (let at = 0; at < count; at += Math.max(1, Math.floor(count / 24))) {
      const { harness, others, liar, honest } = firstMessage(world(), place)!
      for (const other of others) harness.inject(other, liar, honest.with(at, honest[at]! ^ 1))
      harness.settle(others)
      if (secretsIn(harness, others) > 1) yield `byte ${at} of a message altered: two secrets`
    }
    const twice = firstMessage(world(), place)
    if (!twice) continue
    for (const other of twice.others) for (let i = 0; i < 2; i++) twice.harness.inject(other, twice.liar, twice.honest)
    if (secretsIn(twice.harness, twice.others) > 1) yield "a message twice: two secrets"
  }
}

/** A view before its first message of this member is delivered; null if it sends none by itself. */
function firstMessage({ harness, start }: AgreementWorld, place: number) {
  const members = NAMES.map(start)
  harness.change(members)
  const view = harness.install(harness.propose(members))
  const liar = members[place]!
  const honest = view.log.find(({ from }) => from === liar)?.bytes
  return honest ? { harness, liar, honest, others: members.filter((member) => member !== liar) } : null
}

/** Only the liar may be named, and members without a secret know that it is to blame. */
function* unlike(harness: Harness, others: readonly MemberId[], liar: MemberId, what: string): Iterable<string> {
  if (harness.faults.some(({ member }) => member !== liar)) yield `${what}: an honest member is named`
  if (secretsIn(harness, others) > 1) yield `${what}: two secrets`
  for (const other of others) {
    const { agreement, secret } = harness.member(other)
    const named = harness.faults.some(({ at }) => at === other) || agreement.awaiting().includes(liar)
    if (!named && secret === null) yield `${what}: no secret, and its member is not named`
  }
}

function secretsIn(harness: Harness, members: readonly MemberId[]): number {
  return new Set(members.flatMap((member) => harness.member(member).secret?.secret ?? [])).size
}
