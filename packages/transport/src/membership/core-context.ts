import type { Neighbours } from "../liveness/neighbours.ts"
import type { MemberId } from "../members/ids.ts"
import { PROTOCOL } from "../network/shared/protocol.ts"
import { MessageLog } from "../ordering/message-log.ts"
import type { GroupConfig, GroupOutput } from "../view/group-types.ts"
import { patienceFactor } from "../view/patience.ts"
import { indexOfMember, sequencerIndex, voidViewId, type View } from "../view/view.ts"
import type { FramePayload } from "../wire/frame.ts"

/** State shared by the parts of the group core, and the outputs of the present step. */
export class CoreContext {
  readonly config: GroupConfig
  readonly neighbours: Neighbours
  #view: View
  #log = new MessageLog(1)
  #epochSeen: number
  readonly #outputs: GroupOutput[] = []

  constructor(config: GroupConfig, neighbours: Neighbours) {
    this.config = config
    this.neighbours = neighbours
    this.#epochSeen = config.epochFloor
    this.#view = {
      id: voidViewId(config.self),
      epoch: config.epochFloor,
      proposal: { epoch: config.epochFloor, coordinator: config.self.id },
      members: [config.self],
      transitional: [config.self.id],
      features: config.features ?? PROTOCOL.features,
      attachments: new Map(),
    }
  }

  get view(): View {
    return this.#view
  }

  /** `proposalMs` for so many members. */
  proposalMs(members: number): number {
    return this.config.proposalMs * patienceFactor(members)
  }

  /** Messages of the present view. */
  get log(): MessageLog {
    return this.#log
  }

  install(view: View): void {
    this.#view = view
    this.#log = new MessageLog(view.members.length)
  }

  /** Highest epoch heard of. The next own proposal is above it. */
  get epochSeen(): number {
    return this.#epochSeen
  }

  seenEpoch(epoch: number): void {
    this.#epochSeen = Math.max(this.#epochSeen, epoch)
  }

  get ownIndex(): number {
    return indexOfMember(this.#view.members, this.config.self.id)
  }

  get sequencer(): MemberId {
    return this.#view.members[sequencerIndex(this.#view)]!.id
  }

  emit(output: GroupOutput): void {
    this.#outputs.push(output)
  }

  /** To be signed and sent in the present view. */
  sign(to: readonly MemberId[], payload: FramePayload): void {
    if (to.length > 0) this.emit({ type: "sign", to, view: this.#view.id, payload })
  }

  /** Each output is returned once. */
  takeOutputs(): readonly GroupOutput[] {
    return this.#outputs.splice(0)
  }

  /** See liveness/blame.ts. */
  blame(member: MemberId, weight: number): void {
    if (member !== this.config.self.id) this.#reportLeftOut(member, this.neighbours.blame(member, weight))
  }

  departed(member: MemberId): void {
    this.#reportLeftOut(member, this.neighbours.departed(member))
  }

  #reportLeftOut(member: MemberId, isOut: boolean): void {
    if (isOut) this.emit({ type: "fault", member, reason: "obstruction" })
  }
}
