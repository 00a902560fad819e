/** Keys derived from an invitation's secret by the caller, 32 bytes each. Every holder of the invitation has them. */
export type InvitationKeys = {
  readonly signal: Uint8Array
  readonly advertisement: Uint8Array
  readonly association: Uint8Array
}

/** Generations of the invitation that are heard. A member that holds only an older one is not. */
export const INVITATION_KEYS_MAX = 8

/**
 * The keys of the present invitation, then those of former ones, newest first. Holders of former ones can still be
 * heard. `MeshConfig.admits` decides whether they get a link. Never empty.
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
