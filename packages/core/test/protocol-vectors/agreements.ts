import { createKemAgreement, loadKem, loadSodiumGroup, type MemberId } from "@keymoot/gke"
import { Harness, memberNamed } from "@keymoot/gke/testing"
import type { Shown, VectorFile } from "./vector-file.ts"

const MODULES = ["tgdh", "str", "bd", "gdh", "ckd"] as const

/** Memberships in order; a repeated one is a refresh. `fresh`: members that start, or start again, before the view. */
const EVENTS: readonly { readonly event: string; readonly members: string; readonly fresh?: string }[] = [
  { event: "a is alone", members: "a", fresh: "a" },
  { event: "b joins", members: "ab", fresh: "b" },
  { event: "c, d and e join", members: "abcde", fresh: "cde" },
  { event: "b leaves", members: "acde" },
  { event: "refresh", members: "acde" },
  { event: "one side of a partition", members: "ac" },
  { event: "the other side", members: "de" },
  { event: "merge, and f joins", members: "acdef", fresh: "f" },
  { event: "a restarts", members: "acdef", fresh: "a" },
  { event: "c and d leave, g joins", members: "aefg", fresh: "g" },
]

/**
 * One file for each module and one for the post-quantum agreement: contributions, messages, states and secrets of a
 * sequence of views.
 */
export async function agreementFiles(): Promise<VectorFile[]> {
  const group = await loadSodiumGroup()
  const kem = await loadKem()
  const create = (self: MemberId) => createKemAgreement(kem, self)
  return [
    ...MODULES.map((module) => fileOf(module, new Harness(group, { seed: `vectors ${module}`, module }))),
    fileOf("ml-kem", new Harness(group, { seed: "vectors ml-kem", create })),
  ]
}

function fileOf(module: string, harness: Harness): VectorFile {
  return {
    name: `key-agreement-${module}`,
    about: `Views of one group under ${module}, in order`,
    see: "Key agreement",
    vectors: EVENTS.map(({ event, members, fresh = "" }) => {
      for (const name of fresh) harness.start(name)
      return { event, ...viewOf(harness, [...members].map(memberNamed)) }
    }),
  }
}

function viewOf(harness: Harness, ids: readonly MemberId[]): Record<string, Shown> {
  const drawn: Uint8Array[] = []
  const draw = harness.random
  Object.assign(harness, {
    random: () => {
      const bytes = draw()
      drawn.push(bytes.slice())
      return bytes
    },
  })
  const view = harness.install(harness.propose(ids))
  Object.assign(harness, { random: draw })
  harness.settle(view.members)
  if (harness.faults.length > 0) throw new Error("no member of the vectors is at fault")
  const members = view.members.map((member, i) => ({
    member,
    contributionRandom: drawn[i]!,
    viewRandom: drawn[view.members.length + i]!,
    attachment: view.attachments.get(member)!,
  }))
  const outcomes = view.members.map((member) => harness.member(member).secret!)
  const [{ secret, transcript }] = outcomes as [(typeof outcomes)[number]]
  if (outcomes.some((outcome) => outcome.secret !== secret || outcome.transcript !== transcript))
    throw new Error("the members of the vectors agree")
  return {
    proposal: view.proposal,
    sid: view.sid,
    members,
    unicasts: view.unicasts.map(({ from, to, bytes, after }) => ({ from, to, afterMulticasts: after, bytes })),
    multicasts: view.log.map(({ from, bytes }) => ({ from, bytes })),
    secret,
    transcript,
    stateHash: harness.member(view.members[0]!).agreement.publicState().hash,
  }
}
