/**
 * The page's only Trusted Types policy, which is the browser's default one. A string that a library assigns to a sink
 * passes through here, and everything else throws. The server's content security policy forbids any other policy.
 * https://www.w3.org/TR/trusted-types/
 */

/** Worker scripts of this origin: of the engine and the benchmark, and the service worker. */
const OWN_SCRIPT = /^\/(?:assets\/[\w.-]+\.js|sw\.js)$/

/** A sink's value, or null to refuse it. `sink` is the specification's name, like "Element innerHTML". */
type Check = (value: string, type: string, sink: string) => string | null

/** TypeScript's DOM library does not know Trusted Types. */
type TrustedTypes = {
  readonly trustedTypes?: {
    createPolicy(name: "default", checks: { readonly createHTML: Check; readonly createScriptURL: Check }): unknown
  }
}

/** No markup. A parser's document is inert, and the whiteboard parses pasted content with it. */
export const checkHtml: Check = (value, _type, sink) =>
  value === "" || sink === "DOMParser parseFromString" ? value : null

export const checkScriptUrl: Check = (value, _type, sink) => {
  if (sink === "HTMLScriptElement src" || !URL.canParse(value, location.href)) return null
  const { origin, pathname } = new URL(value, location.href)
  return origin === location.origin && OWN_SCRIPT.test(pathname) ? value : null
}

const { trustedTypes } = globalThis as TrustedTypes
trustedTypes?.createPolicy("default", { createHTML: checkHtml, createScriptURL: checkScriptUrl })
