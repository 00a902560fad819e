/** Sizes in which the tracks of other members are shown here. */
import type { MemberId } from "@keymoot/transport"
import type { MediaSize } from "../../api/index.ts"
import { isVideo, MEDIA_SOURCES, type MediaSource } from "../keys/media-view.ts"

export class WantedSizes {
  /** A missing size is "small". */
  readonly #sizes = new Map<MemberId, Map<MediaSource, MediaSize>>()

  /** Returns whether the member must be told. In a large call it sends nothing before it has been told once. */
  set(member: MemberId, source: MediaSource, size: MediaSize): boolean {
    if (this.has(member) && this.#of(member, source) === size) return false
    const sizes = this.#sizes.get(member) ?? new Map<MediaSource, MediaSize>()
    this.#sizes.set(member, sizes.set(source, size))
    return true
  }

  has(member: MemberId): boolean {
    return this.#sizes.has(member)
  }

  wantedOf(member: MemberId): { readonly sources: readonly MediaSource[]; readonly large: readonly MediaSource[] } {
    const shown = MEDIA_SOURCES.filter((source) => isVideo(source) && this.#of(member, source) !== "none")
    return { sources: shown, large: shown.filter((source) => this.#of(member, source) === "large") }
  }

  delete(member: MemberId): void {
    this.#sizes.delete(member)
  }

  /** Forgets the sizes of all members but these. */
  retain(members: { has(member: MemberId): boolean }): void {
    for (const member of this.#sizes.keys()) if (!members.has(member)) this.#sizes.delete(member)
  }

  clear(): void {
    this.#sizes.clear()
  }

  #of(member: MemberId, source: MediaSource): MediaSize {
    return this.#sizes.get(member)?.get(source) ?? "small"
  }
}
