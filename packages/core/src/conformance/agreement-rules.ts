import { type KeyAgreement, type KeyStructure, type KeyTreeNode, loadGroup, type PrimeOrderGroup } from "@keymoot/gke"
import { Harness } from "@keymoot/gke/testing"
import type { MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import { isOwnModule } from "../api/index.ts"
import type { OwnKeyAgreement } from "../secure-group/view-keys.ts"
import { equalBytes } from "../wire/index.ts"
import { attachmentFaults, messageFaults } from "./agreement-lies.ts"
import { type AgreementWorld, agreementWorld, followed, runEvents } from "./agreement-world.ts"
import { type BrokenRule, brokenRules } from "./broken-rule.ts"

export type KeyAgreementRule =
  /** `name` is `own:` and 1 to 60 of the characters a to z, 0 to 9, `.` and `-`. */
  | "name"
  /** After joins, leaves, partitions, merges, reloads and cascades all members have one secret. No member is at fault. */
  | "agreement"
  /** Secret and transcript have 32 bytes. There is at most one secret in each view, and no secret in two views. */
  | "fresh-secrets"
  /** A former member or a later newcomer that follows all attachments and messages does not get the secret. */
  | "outsiders"
  /** A member sends nothing between `contribute` and the next `view`, also when messages arrive. */
  | "flush"
  /** A malformed attachment is a fault of its member or keeps the agreement waiting for it. Nothing throws. */
  | "attachments"
  /** A malformed message is a fault of its sender. An altered one gives no two secrets. Nothing throws. */
  | "messages"
  /** The same inputs give the same outputs. */
  | "deterministic"
  /** The caller overwrites `random` after each step. */
  | "random-copy"
  /** `awaiting` names a member of the view at some time before the secret, and nobody afterwards. */
  | "awaiting"
  /** `structure` is null before the first secret, and then has each member of the view once. */
  | "structure"
  /** After `erase` the module behaves as a new one. */
  | "erase"

type Module = { readonly own: OwnKeyAgreement; readonly group: PrimeOrderGroup }

/**
 * Tests a key agreement module against what a conference demands of it. It cannot show that the module is secure
 * against an attacker that computes more than the module's own code does, nor that secrets are overwritten.
 * @param group given to the module; that of conferences by default
 * @returns the broken rules; none for a module that conforms
 */
export async function checkKeyAgreement(
  own: OwnKeyAgreement,
  group?: PrimeOrderGroup,
): Promise<BrokenRule<KeyAgreementRule>[]> {
  return brokenRules<Module, KeyAgreementRule>(
    { own, group: group ?? (await loadGroup()) },
    {
      name: async function* ({ own: { name } }) {
        if (!isOwnModule(name)) yield `"${name}"`
      },
      agreement,
      "fresh-secrets": freshSecrets,
      outsiders,
      flush,
      attachments: async function* (module) {
        yield* attachmentFaults(() => worldOf(module))
      },
      messages: async function* (module) {
        yield* messageFaults(() => worldOf(module))
      },
      deterministic: async function* (module) {
        if (recordOf(worldOf(module)) !== recordOf(worldOf(module))) yield "two runs with the same inputs differ"
      },
      "random-copy": async function* (module) {
        const overwriting = worldOf(module, ({ step, ...rest }) => ({
          ...rest,
          step: (input) => {
            const outputs = step(input)
            if ("random" in input) input.random.fill(0)
            return outputs
          },
        }))
        if (recordOf(overwriting) !== recordOf(worldOf(module))) yield "another result when `random` is overwritten"
      },
      awaiting,
      structure,
      erase,
    },
  )
}

/** @param wrap replaces each member's state machine */
function worldOf(
  { own, group }: Module,
  wrap: (agreement: KeyAgreement) => KeyAgreement = (agreement) => agreement,
): AgreementWorld {
  return agreementWorld(group, (self) => wrap(bound(own.create({ group, self }))))
}

/** Methods that work apart from their object. */
function bound(agreement: KeyAgreement): KeyAgreement {
  return {
    publicState: () => agreement.publicState(),
    structure: () => agreement.structure(),
    awaiting: () => agreement.awaiting(),
    step: (input) => agreement.step(input),
    erase: () => agreement.erase(),
  }
}

async function* agreement(module: Module) {
  const { harness, start } = worldOf(module)
  for (const { event, view } of runEvents(harness, start)) {
    const [fault] = harness.faults
    if (fault) yield `${event}: ${fault.reason} of an honest member`
    const secrets = view.members.map((member) => harness.member(member).secret)
    if (secrets.includes(null))
      yield `${event}: ${secrets.filter((each) => each === null).length} members have no secret`
    if (new Set(secrets.map((each) => `${each?.secret} ${each?.transcript}`)).size > 1) yield `${event}: secrets differ`
  }
}

async function* freshSecrets(module: Module) {
  const { harness, start } = worldOf(module)
  for (const _ of runEvents(harness, start)) void _
  const places = new Map<string, object>()
  const got = new Set<string>()
  for (const { secret, transcript, view, member } of harness.secrets) {
    if (secret.length !== 64 || transcript.length !== 64)
      yield `a secret of ${secret.length / 2} bytes with a transcript of ${transcript.length / 2}`
    if ((places.get(secret) ?? view) !== view) yield "one secret in two views"
    places.set(secret, view)
    const place = `${bytesToHex(view.sid)} ${member}`
    if (got.has(place)) yield "two secrets of one member in one view"
    got.add(place)
  }
}

async function* outsiders(module: Module) {
  const { harness, start } = worldOf(module)
  const [a, b, c] = [start("a"), start("b"), start("c")]
  const { view: before } = harness.change([a, b])
  harness.change([a, b, c])
  const former = harness.member(c).agreement
  const { view: after } = harness.change([a, b])
  const random = (): Uint8Array => harness.random()
  const secretIn = (view: object): string | undefined => harness.secrets.find((each) => each.view === view)?.secret
  if (followed(former, c, after, random).includes(secretIn(after)!)) yield "a former member gets a later secret"
  const newcomer = module.own.create({ group: module.group, self: c })
  if (followed(newcomer, c, before, random).includes(secretIn(before)!)) yield "a newcomer gets an earlier secret"
}

async function* flush(module: Module) {
  const { harness, start } = worldOf(module)
  const all = ["a", "b", "c", "d"].map((name) => start(name))
  for (let delivered = 0; delivered < 6; delivered++) {
    harness.install(harness.propose(all))
    let left = delivered
    // Throws if a member that flushes sends something.
    harness.propose(all, () => {
      for (const id of all)
        for (const sender of harness.sendersWaiting(id)) if (left-- > 0) harness.deliverNext(id, sender)
    })
  }
  harness.change(all)
  if (harness.faults.length > 0) yield `${harness.faults[0]!.reason} of an honest member`
  if (all.some((id) => harness.member(id).secret === null)) yield "no secret after interrupted agreements"
}

async function* awaiting(module: Module) {
  const { harness, start } = worldOf(module)
  const all = ["a", "b", "c"].map((name) => start(name))
  const { members } = harness.install(harness.propose(all))
  const named = new Set<MemberId>()
  const look = (): void => {
    for (const id of all) for (const member of harness.member(id).agreement.awaiting()) named.add(member)
  }
  look()
  for (let sender = next(harness, all); sender; sender = next(harness, all)) {
    harness.deliverNext(sender.at, sender.from)
    look()
  }
  if ([...named].some((member) => !members.includes(member))) yield "somebody who is not in the view"
  if (named.size === 0) yield "nobody, from the view to the last message"
  for (const id of all) if (harness.member(id).agreement.awaiting().length > 0) yield "somebody after the secret"
}

/** A message that has not been delivered. */
function next(harness: Harness, members: readonly MemberId[]): { at: MemberId; from: MemberId } | null {
  for (const at of members) for (const from of harness.sendersWaiting(at)) return { at, from }
  return null
}

async function* structure(module: Module) {
  const { harness, start } = worldOf(module)
  const all = ["a", "b", "c"].map((name) => start(name))
  if (harness.member(all[0]!).agreement.structure() !== null) yield "not null before the first secret"
  harness.change(all)
  const shown = harness.member(all[0]!).agreement.structure()
  if (shown === null) yield "null after a secret"
  else if (membersIn(shown).sort().join() !== all.toSorted().join()) yield "other members than the view's"
}

async function* erase(module: Module) {
  const { harness, start } = worldOf(module)
  const [a, b] = [start("a"), start("b")]
  harness.change([a, b])
  harness.propose([a, b])
  const { agreement: used } = harness.member(a)
  used.erase()
  const fresh = module.own.create({ group: module.group, self: a })
  if (used.structure() !== null) yield "there still is a structure"
  if (used.awaiting().length > 0) yield "it still waits for members"
  if (!equalBytes(used.publicState().bytes, fresh.publicState().bytes)) yield "there still is a public state"
  const random = harness.random()
  const contributed = (machine: KeyAgreement): string =>
    machine
      .step({ type: "contribute", proposal: { epoch: 9, coordinator: a }, members: [a, b], random: random.slice() })
      .map((output) => (output.type === "contribution" ? bytesToHex(output.bytes) : output.type))
      .join()
  if (contributed(used) !== contributed(fresh)) yield "its contribution is not that of a new module"
}

/** Everything that left the members of a world in its run. */
function recordOf({ harness, start }: AgreementWorld): string {
  const record: unknown[] = []
  for (const { view } of runEvents(harness, start)) {
    const { attachments, log, unicasts } = view
    record.push([...attachments].map(([member, bytes]) => [member, bytesToHex(bytes)]))
    record.push([...log, ...unicasts].map(({ from, bytes }) => [from, bytesToHex(bytes)]))
  }
  record.push(harness.secrets.map(({ member, secret, transcript }) => [member, secret, transcript]))
  return JSON.stringify(record)
}

function membersIn(shown: KeyStructure): MemberId[] {
  if (shown.kind !== "tree") return shown.seats.map(({ member }) => member)
  const leaves = (node: KeyTreeNode): MemberId[] =>
    node.kind === "leaf" ? [node.member] : [...leaves(node.left), ...leaves(node.right)]
  return leaves(shown.root)
}
