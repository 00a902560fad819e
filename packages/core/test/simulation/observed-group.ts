import { GroupCore, type GroupConfig, type GroupInput, type GroupOutput, type MemberId } from "@keymoot/transport"
import type { BatchService } from "../../src/multicast/batch.ts"
import type { MemberLife } from "@keymoot/transport/testing"

/** Records nothing once the member is gone. */
type Observer = Pick<MemberLife<unknown>, "alive" | "story" | "used">

/** The group core of a production driver, with a record of its steps. It can also propose views that nobody asked for. */
export class ObservedGroup extends GroupCore {
  readonly #self: MemberId
  readonly #observer: Observer
  #stray: (readonly MemberId[])[] = []

  constructor(config: GroupConfig, observer: Observer) {
    super(config)
    this.#self = config.self.id
    this.#observer = observer
  }

  /** Proposes a view of exactly these members at the next tick. */
  propose(members: readonly MemberId[]): void {
    this.#stray.push(members)
  }

  /** A message counts as sent from here on: its dependencies are fixed before it is encrypted and signed. */
  override nextMulticast(service: BatchService): ReturnType<GroupCore["nextMulticast"]> {
    const header = super.nextMulticast(service)
    const { alive, story } = this.#observer
    if (alive) story.send({ ...header, origin: this.#self, service })
    return header
  }

  override step(input: GroupInput): readonly GroupOutput[] {
    const { alive, story } = this.#observer
    if (!alive) return super.step(input)
    if (input.type === "flushed") story.flush()
    const outputs = [...super.step(input)]
    const stray = input.type === "tick" ? this.#stray.splice(0) : []
    for (const members of stray) outputs.push(...super.step({ type: "propose", members }))
    for (const output of outputs) this.#take(output)
    return outputs
  }

  #take(output: GroupOutput): void {
    const { story } = this.#observer
    switch (output.type) {
      case "heartbeat":
        return this.#observer.used(output.heartbeat.promised.epoch)
      case "view":
        this.#observer.used(output.view.epoch)
        return story.take(output)
      case "deliver":
      case "transitional":
      case "flushRequest":
        return story.take(output)
    }
  }
}
