import { filled, texts } from "./texts.ts"

/** Which browser on what, and of which version the page is. */
export function machineLine(version: string): string {
  const cores = navigator.hardwareConcurrency
  return filled(texts.machine, {
    browser: browser(navigator.userAgent),
    cores,
    version,
    date: new Date().toISOString(),
  })
}

function browser(userAgent: string): string {
  const found = /(?<name>Firefox|Edg|Chrome|Version)\/(?<version>[\d.]+)/gu
  const names = [...userAgent.matchAll(found)].map(({ groups }) => groups!)
  const best = names.find(({ name }) => name === "Edg" || name === "Firefox") ?? names[0]
  if (!best) return userAgent
  return `${best["name"] === "Version" ? "Safari" : best["name"]} ${best["version"]}`
}
