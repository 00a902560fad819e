import { createHash } from "node:crypto"

/** One year, without subdomains: they may belong to others. */
export const STRICT_TRANSPORT_SECURITY = "max-age=31536000"

/**
 * The headers of every answer.
 * @param page the page of the app, if one is served
 * @param embedOrigins whose pages may show it in a frame. The app reads them from its own policy.
 */
export function securityHeaders(
  page: string | undefined,
  embedOrigins: readonly string[] = [],
): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(inlineScriptsOf(page ?? ""), embedOrigins),
    // A conference's path is its id: no other site may learn it from a followed link.
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    // These two keep the page in its own process, where no other site's page can read its memory (Spectre).
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      // For calls and for scanning verification codes; the browser asks the person first.
      "camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=(), usb=(), serial=(), hid=(), " +
      "midi=(), clipboard-read=(self), clipboard-write=(self), fullscreen=(self)",
  }
}

/**
 * The page may run its own scripts and talk to its own server only. So data from a peer can become neither a script nor
 * a request to a third party. The board needs inline styles, the cryptography WebAssembly.
 */
function contentSecurityPolicy(inlineScripts: readonly string[], embedOrigins: readonly string[]): string {
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
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" ")}`,
    "form-action 'none'",
    // A string becomes markup or a script's address only through the page's single policy,
    // `apps/web/src/trustedTypes.ts`.
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ")
}

/**
 * The page's import map, which ties its modules to their hashes. A browser accepts it only inline. It runs no code, and
 * the hash admits only this one.
 */
function inlineScriptsOf(page: string): string[] {
  return [...page.matchAll(/<script type="importmap">(.*?)<\/script>/gsu)].map(([, script = ""]) => script)
}
