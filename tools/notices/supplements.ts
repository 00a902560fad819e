/** Licences that the packages themselves do not carry. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

type TextName = "MIT" | "OFL-1.1" | "Unicode-3.0"

/** A licence whose text stands in `texts/`, below the copyright notice that it asks to keep. */
export type Supplement = { readonly licence: TextName; readonly copyright: string }

/**
 * Packages without a licence file, by the beginning of their names. The notices are those of their repositories; where there is
 * none either, the author that the package names.
 */
export const PACKAGES: Readonly<Record<string, Supplement>> = {
  "@excalidraw/excalidraw": { licence: "MIT", copyright: "Copyright (c) 2020 Excalidraw" },
  "@radix-ui/": { licence: "MIT", copyright: "Copyright (c) 2022 WorkOS" },
  "err-code": { licence: "MIT", copyright: "Copyright (c) IndigoUnited <hello@indigounited.com>" },
  "get-browser-rtc": { licence: "MIT", copyright: "Copyright (c) substack" },
  "react-remove-scroll-bar": {
    licence: "MIT",
    copyright: "Copyright (c) 2025 Anton Korzunov <thekashey@gmail.com>",
  },
}

/** Packages whose published file already contains their dependencies: the bundler sees no modules of these. */
export const PREBUNDLED: ReadonlySet<string> = new Set(["simple-peer", "image-blob-reduce", "pica"])

/** Fonts by the beginning of their files' names. The notices are those inside the fonts, or of their repositories. */
export const FONTS: Readonly<Record<string, Supplement>> = {
  Assistant: {
    licence: "OFL-1.1",
    copyright:
      "Copyright 2020 The Assistant Project Authors (https://github.com/hafontia/Assistant). Copyright 2010 The Source Sans " +
      "Pro Authors (https://github.com/adobe-fonts/source-sans-pro), with Reserved Font Name 'Source'. Source is a trademark " +
      "of Adobe Systems Incorporated in the United States and/or other countries.",
  },
  CascadiaCode: {
    licence: "OFL-1.1",
    copyright: "Copyright (c) 2019 - Present, Microsoft Corporation, with Reserved Font Name Cascadia Code.",
  },
  ComicShanns: {
    licence: "MIT",
    copyright: [
      "Copyright (c) 2018 Shannon Miwa",
      "Copyright (c) 2023 Jesus Gonzalez",
      "Copyright (c) 2023 Rodrigo Batista de Moraes",
      "Copyright (c) 2024 Fini Jastrow",
      "Copyright (c) 2024 Kyle Beechly",
    ].join("\n"),
  },
  Excalifont: { licence: "OFL-1.1", copyright: "Copyright (c) 2024 by Excalidraw. All rights reserved." },
  Lilita: {
    licence: "OFL-1.1",
    copyright: 'Copyright (c) 2011 Juan Montoreano (juan@remolacha.biz), with Reserved Font Names "Lilita One"',
  },
  Nunito: {
    licence: "OFL-1.1",
    copyright: "Copyright 2014 The Nunito Project Authors (https://github.com/googlefonts/nunito)",
  },
  Virgil: { licence: "OFL-1.1", copyright: "Copyright (c) 2011 by Your Own Font Foundry. All rights reserved." },
  Xiaolai: {
    licence: "OFL-1.1",
    copyright:
      "Copyright 2020-2024 LXGW (https://github.com/lxgw/kose-font)\n" +
      "Copyright 2014 Nozomi Seto (https://ja.osdn.net/projects/setofont/)",
  },
}

/** Modules of this project that contain data of others, by the end of their paths. */
export const DATA: Readonly<Record<string, Supplement & { readonly name: string }>> = {
  "/identity/confusables.ts": {
    name: "Unicode confusables 17.0.0, modified",
    licence: "Unicode-3.0",
    copyright: "Copyright © 1991-2025 Unicode, Inc.",
  },
}

export function textOf({ licence, copyright }: Supplement): string {
  return `${copyright}\n\n${readFileSync(join(import.meta.dirname, "texts", `${licence}.txt`), "utf8")}`
}
