import {
  conferenceSid,
  createKeyAgreement,
  epochKey,
  RANDOM_BYTES,
  type KeyAgreement,
  type KeyAgreementName,
  type KeyAgreementOptions,
  type KeyAgreementOutput,
  type KeyStructure,
} from "@keymoot/gke"
import type { MemberId, ProposalId, View } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import { isOwnModule, type OwnModule } from "../api/index.ts"
import type { MemberPrints } from "../identity/member-prints.ts"
import { encodeAgreementBody } from "./agreement-body.ts"
import type { EpochKeys, EpochKeysConfig, EpochKeysInput, EpochKeysOutput } from "./epoch-keys.ts"

/** A key agreement module that an embedder brings. */
export type OwnKeyAgreement = {
  /** Goes into the session id, so members with different modules agree on no key. */
  readonly name: string
  /** One member's state machine for one conference. */
  create(options: KeyAgreementOptions): KeyAgreement
}

export type ViewKeysConfig = EpochKeysConfig & {
  readonly module: KeyAgreementName | OwnModule
  /** The module if it is not built in. */
  readonly own?: OwnKeyAgreement | undefined
  readonly prints: Pick<MemberPrints, "of">
}

/** A separate key for every view. */
export class ViewKeys implements EpochKeys {
  readonly #config: ViewKeysConfig
  readonly #module: KeyAgreement
  readonly #outputs: EpochKeysOutput[] = []
  /** Session id of the present view. */
  #sid: Uint8Array | null = null

  constructor(config: ViewKeysConfig) {
    this.#config = config
    this.#module = moduleOf(config)
  }

  get expectsKey(): boolean {
    return true
  }

  awaiting(): readonly MemberId[] {
    return this.#module.awaiting()
  }

  /** Once the key is computed here, all its contributions have reached every member. */
  proving(silent: readonly MemberId[]): readonly MemberId[] {
    return silent
  }

  structure(): KeyStructure | null {
    return this.#module.structure()
  }

  /** Returns a fresh share for each proposal. The module erases that of an abandoned one. */
  contribute(proposal: ProposalId, members: readonly MemberId[]): Uint8Array {
    const random = this.#config.random.bytes(RANDOM_BYTES)
    const outputs = this.#module.step({ type: "contribute", proposal, members, random })
    random.fill(0)
    const contribution = outputs.find((output) => output.type === "contribution")
    if (!contribution) throw new Error("invariant: the agreement gave no contribution for a proposal")
    this.#run(outputs.filter((output) => output !== contribution))
    return contribution.bytes
  }

  begin(view: View, statementsHash: Uint8Array): readonly EpochKeysOutput[] {
    const { self, conferenceId, descriptorHash, module, cipher, postQuantum, prints } = this.#config
    const sid = conferenceSid({
      conferenceId,
      descriptorHash,
      viewId: hexToBytes(view.id),
      members: view.members.map(({ id }) => ({ member: id, fingerprint: prints.of(id) })),
      statementsHash,
      module,
      cipher: cipher.name,
      postQuantum,
    })
    this.#sid = sid
    const { proposal, attachments } = view
    const members = view.members.map((member) => member.id)
    const random = this.#config.random.bytes(RANDOM_BYTES)
    const outputs = this.#module.step({ type: "view", view: { sid, self, members, proposal, attachments }, random })
    random.fill(0)
    this.#run(outputs)
    return this.#outputs.splice(0)
  }

  handle(input: EpochKeysInput): readonly EpochKeysOutput[] {
    if (input.type === "message") this.#run(this.#module.step(input))
    else if (input.type === "postQuantum")
      this.#emit({ type: "fault", member: input.from, reason: "unexpected-message" })
    return this.#outputs.splice(0)
  }

  /** Every view has a new key. */
  renew(): void {}

  erase(): void {
    this.#module.erase()
  }

  #run(outputs: readonly KeyAgreementOutput[]): void {
    for (const output of outputs) this.#onOutput(output)
  }

  #onOutput(output: KeyAgreementOutput): void {
    switch (output.type) {
      case "multicast":
        return this.#emit({ type: "multicast", body: encodeAgreementBody({ ...output, type: "message" }) })
      case "unicast":
        return this.#emit({ type: "multicast", body: encodeAgreementBody(output) })
      case "secret":
        return this.#onSecret(output.secret, output.transcript)
      case "fault":
        return this.#emit(output)
      case "wantsView":
        return this.#emit({ type: "refreshDue" })
      case "contribution":
      case "wakeAt":
        // Contributions answer `contribute`, and only `majority` has a clock.
        throw new Error(`unexpected ${output.type} from the key agreement`)
    }
  }

  #onSecret(secret: Uint8Array, transcript: Uint8Array): void {
    const { invitation } = this.#config
    const key = epochKey({ invitation, secret, transcript, sid: this.#sid! })
    secret.fill(0)
    this.#emit({ type: "keyed", epochKey: key, transcript })
  }

  #emit(output: EpochKeysOutput): void {
    this.#outputs.push(output)
  }
}

function moduleOf({ module, own, group, self }: ViewKeysConfig): KeyAgreement {
  if (!isOwnModule(module)) return createKeyAgreement(module, { group, self })
  if (!own) throw new Error(`invariant: the module ${module} was there when the conference was entered`)
  return own.create({ group, self })
}
