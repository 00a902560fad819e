/**
 * The state that the page's address carries on arrival. The page evaluates this module first, because it removes the
 * invitation's secret from the address bar. So screenshots, screen sharing, history and extensions do not see the
 * secret.
 */
export type Arrival =
  | { readonly kind: "start" }
  /** No page has this address. */
  | { readonly kind: "nowhere" }
  | InvitationArrival
  /** Only the conference's id: a member's reload, or a link without its secret. */
  | { readonly kind: "conference"; readonly id: string }

/** With the complete link, its secret included. Each arrival is an object of its own, even with the same link. */
export type InvitationArrival = { readonly kind: "invitation"; readonly id: string; readonly url: string }

const START_PATH = /^\/(?:index\.html)?$/
const CONFERENCE_PATH = /^\/c\/([A-Za-z0-9_-]{1,64})\/?$/
const STORAGE_PREFIX = "keymoot.invitation."
const storageKey = (id: string) => STORAGE_PREFIX + id
const BROUGHT_KEY = "keymoot.brought"
/** Conferences of which the page remembers that the website around it has brought their links. */
export const BROUGHT_MAX = 100
/** By id, the newest last. Also in this tab's session storage, because the link itself does not outlast its use. */
let brought: readonly string[] = ifStored(() => sessionStorage.getItem(BROUGHT_KEY))?.split(" ") ?? []
/** The link where the browser stores nothing for this site. */
let inMemory: InvitationArrival | null = null

/**
 * Reads and cleans the address. The link stays in this tab's session storage until it is used or discarded, so a reload
 * before entering does not lose it. An arrival at any other address discards it.
 */
export function takeArrival(isTyped = false): Arrival {
  const id = conferenceIdOf(location.pathname)
  const secret = id === null ? "" : withoutPunctuation(location.hash)
  const url = secret.length > 1 ? new URL(secret, location.href).href : null
  // Before anything that can fail: nobody may see the secret.
  if (url !== null) history.replaceState(null, "", location.pathname)
  forgetOthers(id)
  if (id === null) return { kind: START_PATH.test(location.pathname) ? "start" : "nowhere" }
  if (url !== null && !isTyped) noteBrought(id)
  if (url !== null) return keep({ kind: "invitation", id, url })
  const kept = ifStored(() => sessionStorage.getItem(storageKey(id))) ?? inMemory?.url
  return kept === undefined ? { kind: "conference", id } : { kind: "invitation", id, url: kept }
}

/** A person cannot change the address of a frame: the website around it has brought the link, and knows its secret. */
function noteBrought(id: string): void {
  if (window.parent === window) return
  brought = [...brought.filter((other) => other !== id), id].slice(-BROUGHT_MAX)
  ifStored(() => sessionStorage.setItem(BROUGHT_KEY, brought.join(" ")))
}

export function isBrought(id: string): boolean {
  return brought.includes(id)
}

function keep(arrival: InvitationArrival): InvitationArrival {
  const { id, url } = arrival
  inMemory = arrival
  ifStored(() => {
    sessionStorage.setItem(storageKey(id), url)
    inMemory = null
  })
  return arrival
}

function forgetOthers(id: string | null): void {
  if (inMemory?.id !== id) inMemory = null
  ifStored(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(STORAGE_PREFIX) && key !== storageKey(id ?? "")) sessionStorage.removeItem(key)
  })
}

/** Undefined where the browser stores nothing for this site: it throws at the first look. */
function ifStored<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/**
 * Must be called when the link has been used, since core then stores what a reload needs, or when it cannot lead
 * anywhere.
 */
export function forgetInvitation(id: string): void {
  if (inMemory?.id === id) inMemory = null
  ifStored(() => sessionStorage.removeItem(storageKey(id)))
}

/** As `takeArrival`, for a link that the person has typed. */
export function takeTyped(url: string): Arrival {
  history.replaceState(null, "", url)
  return takeArrival(true)
}

export function showConferenceAddress(id: string): void {
  history.replaceState(null, "", `/c/${id}`)
}

/** Discards the link of the conference that the address names. */
export function showStartAddress(): void {
  const id = conferenceIdOf(location.pathname)
  if (id !== null) forgetInvitation(id)
  history.replaceState(null, "", "/")
}

const LINKS = /https?:\/\/[^\s<>"]+/giu
/** Punctuation of the sentence or brackets around a link. No invitation ends with it. */
const BEHIND_LINK = /[.,;:!?)\]}>'"’”»*\s]+$/u

/**
 * A link that a person typed or pasted, alone or with the words around it. Returns the conference and its server, or
 * null without an invitation.
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

/** Mail clients count the punctuation behind a link as part of it, and browsers encode some of it. */
function withoutPunctuation(fragment: string): string {
  try {
    return decodeURIComponent(fragment).replace(BEHIND_LINK, "")
  } catch {
    return fragment // Damaged by other means.
  }
}

export function conferenceIdOf(path: string): string | null {
  return CONFERENCE_PATH.exec(path)?.[1] ?? null
}

export const firstArrival: Arrival | null = typeof location === "undefined" ? null : takeArrival()
