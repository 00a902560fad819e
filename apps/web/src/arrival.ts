/**
 * What the address says on arrival. This module is the first that the page evaluates, because it takes the
 * invitation's secret out of the address bar: screenshots, screen sharing, history and extensions then do not see it.
 */
export type Arrival =
  | { readonly kind: "start" }
  /** With the whole link, its secret included. */
  | { readonly kind: "invitation"; readonly id: string; readonly url: string }
  /** Only the conference's id: a reload by a member, or a link without its secret. */
  | { readonly kind: "conference"; readonly id: string }

const CONFERENCE_PATH = /^\/c\/([A-Za-z0-9_-]{1,64})\/?$/
const storageKey = (id: string) => `keymoot.invitation.${id}`

/** Reads and cleans the address. The link stays in this tab's session storage until it has been used, so that a reload before entering does not lose it. */
export function takeArrival(): Arrival {
  const url = location.href
  const id = conferenceIdOf(location.pathname)
  if (id === null) return { kind: "start" }
  if (location.hash.length > 1) {
    history.replaceState(null, "", location.pathname)
    sessionStorage.setItem(storageKey(id), url)
    return { kind: "invitation", id, url }
  }
  const kept = sessionStorage.getItem(storageKey(id))
  return kept === null ? { kind: "conference", id } : { kind: "invitation", id, url: kept }
}

/** To be called when the link has been used or given up: from then on core keeps what a reload needs. */
export function forgetInvitation(id: string): void {
  sessionStorage.removeItem(storageKey(id))
}

/** As the address of this page, for `takeArrival`. */
export function showInvitation(url: string): void {
  history.replaceState(null, "", url)
}

export function showConferenceAddress(id: string): void {
  history.replaceState(null, "", `/c/${id}`)
}

export function showStartAddress(): void {
  history.replaceState(null, "", "/")
}

const LINKS = /https?:\/\/[^\s<>"]+/giu
/** Of the sentence or the brackets that a link stands in. No invitation ends so. */
const BEHIND_LINK = /[.,;:!?)\]}'’”»*]+$/u

/**
 * A link typed or pasted by a person, alone or with the words around it: which conference and whose server, or null if there is
 * no invitation.
 */
export function readInvitation(
  text: string,
): { readonly id: string; readonly url: string; readonly origin: string } | null {
  for (const [found] of text.matchAll(LINKS)) {
    const url = URL.parse(found.replace(BEHIND_LINK, ""))
    const id = url && conferenceIdOf(url.pathname)
    if (url && id && url.hash.length > 1) return { id, url: url.href, origin: url.origin }
  }
  return null
}

function conferenceIdOf(path: string): string | null {
  return CONFERENCE_PATH.exec(path)?.[1] ?? null
}

export const firstArrival: Arrival | null = typeof location === "undefined" ? null : takeArrival()
