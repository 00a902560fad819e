import type { GroupOutput } from "../../view/group-types.ts"
import type { MemberId } from "../../members/ids.ts"
import type { Frame, Service } from "../../wire/frame.ts"
import type { SimulatedFrames } from "./simulated-frames.ts"

/** A report of one member about another. */
export type Accusation = Extract<GroupOutput, { type: "fault" | "divergence" }>

/**
 * A lying member, and the receiver of the members' reports about one another. Without a receiver a report ends the run.
 */
export type Lies = {
  readonly liar: string
  /** Services of which each message has two versions. */
  readonly services: readonly Service[]
  readonly accuse: (by: string, accusation: Accusation) => void
}

/**
 * Equivocates: sends one version to some members and another to the others under one number, always the same to each.
 */
export class Equivocator {
  readonly #id: MemberId
  readonly #services: readonly Service[]
  readonly #frames: SimulatedFrames
  readonly #others = new WeakMap<Frame, Frame>()

  constructor(id: MemberId, { services }: Lies, frames: SimulatedFrames) {
    this.#id = id
    this.#services = services
    this.#frames = frames
  }

  /** The version of a frame that this member gets. */
  versionFor(to: MemberId, frame: Frame): Frame {
    const lies = frame.kind === "data" && frame.origin === this.#id && this.#services.includes(frame.service)
    if (!lies || Number.parseInt(to.slice(0, 2), 16) % 2 === 0) return frame
    let other = this.#others.get(frame)
    if (!other) {
      const { dependencies, body } = frame.message
      const message = { dependencies, body: body.map((byte) => byte ^ 0xff) }
      this.#others.set(frame, (other = this.#frames.make(this.#id, { ...frame, message })))
    }
    return other
  }
}
