import type { MemberId, View } from "@keymoot/transport"

export type HoldersConfig = {
  readonly self: MemberId
  readonly links: { isLinked(member: MemberId): boolean }
  /** The group's present view. */
  readonly driver: { readonly view: Pick<View, "members"> }
}

/** Members of the present view, from which files can be fetched. */
export class Holders {
  readonly #config: HoldersConfig

  constructor(config: HoldersConfig) {
    this.#config = config
  }

  isPresent(member: MemberId): boolean {
    return this.#config.driver.view.members.some(({ id }) => id === member)
  }

  /** Whether it is present, with a link. */
  isReachable(member: MemberId): boolean {
    return this.isPresent(member) && this.#config.links.isLinked(member)
  }

  /** Other members than the owner that may have its file. */
  besides(owner: MemberId): readonly MemberId[] {
    const { self, driver } = this.#config
    return driver.view.members.map(({ id }) => id).filter((id) => id !== self && id !== owner)
  }
}
