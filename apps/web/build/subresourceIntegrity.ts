import { createHash } from "node:crypto"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import type { Plugin } from "vite"
import { FORMS_PATH, isPrecompressed, precompress } from "./precompressed.ts"
import { serviceWorker, versionOf, withVersion } from "./serviceWorker.ts"

type Integrity = Readonly<Record<string, string>>

/**
 * Ties the page to the scripts and the style that were built with it. Files that the page names get `integrity`
 * attributes. An import map has the hash of every module that these load, now or later. `integrity.json` lists the
 * hashes of all files, for comparison with the published ones. docs/signaling.md says what this does not cover.
 *
 * `sw.js` keeps the files that the page needs to open without its server. The files are compressed here too, since only
 * here their contents are final.
 */
export function subresourceIntegrity(): Plugin {
  return {
    name: "subresource-integrity",
    apply: "build",
    enforce: "post",
    writeBundle: {
      order: "post",
      // Reads the written files: earlier, other plugins may still change them.
      async handler({ dir }) {
        if (dir === undefined) throw new Error("The build has no directory.")
        const page = join(dir, "index.html")
        const html = await readFile(page, "utf8")
        const built = await hashesOf(dir)
        const version = versionOf(built)
        await writeFile(page, withVersion(withIntegrity(html, built), version))
        await writeFile(join(dir, "sw.js"), await serviceWorker(await hashesOf(dir), version))
        const hashes = await hashesOf(dir)
        await precompress(dir, hashes)
        // The list contains files with an address. The compressed forms have none, but their list has one.
        const listed = { ...hashes, [FORMS_PATH]: await hashOf(join(dir, FORMS_PATH)) }
        await writeFile(join(dir, "integrity.json"), `${JSON.stringify(listed, null, 2)}\n`)
      },
    },
  }
}

/** Hash by request path, in the format that a browser checks. Compressed forms of an earlier build are left out. */
async function hashesOf(directory: string): Promise<Integrity> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hashes: Record<string, string> = {}
  for (const file of files.toSorted()) {
    const path = `/${relative(directory, file).split(sep).join("/")}`
    if (!isPrecompressed(path)) hashes[path] = await hashOf(file)
  }
  return hashes
}

async function hashOf(file: string): Promise<string> {
  const digest = createHash("sha384").update(await readFile(file))
  return `sha384-${digest.digest("base64")}`
}

/** @throws Error when the page names a file that was not built */
export function withIntegrity(html: string, hashes: Integrity): string {
  const modules = Object.entries(hashes).filter(([path]) => path.endsWith(".js"))
  const importMap = JSON.stringify({ integrity: Object.fromEntries(modules) })
  const checked = html.replaceAll(
    /<(?:script|link)\b[^>]*\s(?:src|href)="(\/assets\/[^"]+)"[^>]*>/gu,
    (tag, path: string) => {
      const hash = hashes[path]
      if (hash === undefined) throw new Error(`The page names ${path}, which was not built.`)
      return tag.replace(/>$/u, ` integrity="${hash}">`)
    },
  )
  // It must precede the first module, or a browser ignores it.
  const first = checked.search(/<script\b[^>]*type="module"|<link\b[^>]*rel="modulepreload"/u)
  if (first < 0) throw new Error("The page has no module.")
  return `${checked.slice(0, first)}<script type="importmap">${importMap}</script>\n    ${checked.slice(first)}`
}
