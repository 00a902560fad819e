import type { MemberId } from "../../members/ids.ts"
import type { Frame } from "../../wire/frame.ts"
import type { MemberInstance } from "../../wire/messages.ts"

export type NamedMessage = Pick<Frame, "origin" | "view" | "service" | "sequence">

/** Names in a trace. Equal lists of names are sorted and share one object, since each view has two per member. */
export class TraceNames {
  readonly #names = new Map<MemberId, string>()
  readonly #messages = new WeakMap<NamedMessage, string>()
  readonly #lists = new Map<string, readonly string[]>()
  readonly #members = new WeakMap<readonly MemberInstance[], readonly string[]>()

  add(id: MemberId, name: string): void {
    this.#names.set(id, name)
  }

  of(id: MemberId): string {
    return this.#names.get(id) ?? id
  }

  /** Unique in a run. */
  ofMessage(frame: NamedMessage): string {
    const known = this.#messages.get(frame)
    if (known) return known
    const { origin, view, service, sequence } = frame
    const name = `${this.of(origin)}:${view.slice(0, 8)}:${service === "unreliable" ? "u" : ""}${sequence}`
    this.#messages.set(frame, name)
    return name
  }

  ofIds(ids: readonly MemberId[]): readonly string[] {
    const names = ids.map((id) => this.of(id)).sort()
    const key = names.join()
    const known = this.#lists.get(key)
    if (!known) this.#lists.set(key, names)
    return known ?? names
  }

  ofMembers(members: readonly MemberInstance[]): readonly string[] {
    const known = this.#members.get(members) ?? this.ofIds(members.map(({ id }) => id))
    this.#members.set(members, known)
    return known
  }
}
