/** What everybody who holds an invitation's secret holds, 32 bytes each, derived from it by the caller. */
export type InvitationKeys = {
  readonly signal: Uint8Array
  readonly advertisement: Uint8Array
  readonly association: Uint8Array
}

/** Generations of the invitation that are heard; whoever holds an older one only is not. */
export const INVITATION_KEYS_MAX = 8

/**
 * The keys of the present invitation first, then those of former ones, whose bearers can still be heard: whether they are
 * linked with is for `MeshConfig.admits` to say. Never empty.
 */
export class Keyring {
  #all: readonly InvitationKeys[]

  constructor(current: InvitationKeys, former: readonly InvitationKeys[] = []) {
    this.#all = [current, ...former].slice(0, INVITATION_KEYS_MAX)
  }

  get current(): InvitationKeys {
    return this.#all[0]!
  }

  get all(): readonly InvitationKeys[] {
    return this.#all
  }

  replace(current: InvitationKeys, former: readonly InvitationKeys[]): void {
    this.#all = [current, ...former].slice(0, INVITATION_KEYS_MAX)
  }
}
