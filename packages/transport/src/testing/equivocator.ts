import type { GroupOutput } from "../group/types.ts"
import type { MemberId } from "../ids.ts"
import type { Frame, Service } from "../wire/frame.ts"
import type { SimulatedFrames } from "./simulated-frames.ts"

/** What a member says of another. */
export type Accusation = Extract<GroupOutput, { type: "fault" | "divergence" }>

/** A member that lies, and who hears what the members say of one another then: without one, it ends the run. */
export type Lies = {
  readonly liar: string
  /** Whose messages have two versions. */
  readonly services: readonly Service[]
  readonly accuse: (by: string, accusation: Accusation) => void
}

/** Says one thing to some and another to the others under one number, to each of them always the same. */
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

  /** What that member is sent in the place of a frame. */
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
