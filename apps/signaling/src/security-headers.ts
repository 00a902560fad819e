import { createHash } from "node:crypto"

/**
 * The headers of every answer.
 * @param page the page of the app, if one is served
 */
export function securityHeaders(page: string | undefined): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(inlineScriptsOf(page ?? "")),
    // A conference's path is its id: no other site may learn it from a link that somebody follows.
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    // These two keep the page in a process of its own, where no other site's page can look for what it holds.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      // For the codes of people who verify each other; the browser asks the person first.
      "camera=(self), microphone=(), geolocation=(), display-capture=(), payment=(), usb=(), serial=(), hid=(), " +
      "midi=(), clipboard-read=(self), clipboard-write=(self), fullscreen=(self)",
  }
}

/**
 * The page may run its own scripts and talk to its own server, and nothing else: what a peer sends can become neither a
 * script nor a request to a stranger. Inline styles are the board's, WebAssembly the cryptography's.
 */
function contentSecurityPolicy(inlineScripts: readonly string[]): string {
  const hashes = inlineScripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
  return [
    "default-src 'self'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...hashes].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
  ].join("; ")
}

/**
 * The page's import map, which ties its modules to their hashes: a browser takes it only from within the page. It runs
 * nothing, and a hash lets in this one and no other.
 */
function inlineScriptsOf(page: string): string[] {
  return [...page.matchAll(/<script type="importmap">(.*?)<\/script>/gsu)].map(([, script = ""]) => script)
}
