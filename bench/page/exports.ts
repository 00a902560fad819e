/** Figures and pictures as files. */
import type { Figure } from "../src/experiment/figure.ts"
import type { Result } from "../src/run/result.ts"

const COLUMNS = [
  "experiment",
  "module",
  "event",
  "n",
  "change",
  "network",
  "metric",
  "unit",
  "runs",
  "min",
  "median",
  "p95",
  "max",
  "paper",
] as const satisfies readonly (keyof Figure)[]

/** RFC 4180. */
export function csvOf(figures: readonly Figure[]): string {
  const cell = (value: string | number | undefined): string => {
    const text = `${value ?? ""}`
    return /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const rows = figures.map((figure) => COLUMNS.map((column) => cell(figure[column])).join(","))
  return `${[COLUMNS.join(","), ...rows].join("\r\n")}\r\n`
}

/** As the runner keeps it, so that `compare` takes it. */
export function jsonOf({ experiment, ...kept }: Omit<Result, "at">): string {
  const at = new Date().toISOString()
  return `${JSON.stringify({ experiment, at, ...kept }, undefined, 2)}\n`
}

export function svgOf(svg: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" })
}

/** Twice as fine as on the screen. */
const PNG_SCALE = 2

/** @throws DOMException if the browser cannot draw it */
export async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(svgOf(svg))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement("canvas")
    canvas.width = svg.width.baseVal.value * PNG_SCALE
    canvas.height = svg.height.baseVal.value * PNG_SCALE
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((give, fail) =>
      canvas.toBlob((blob) => (blob ? give(blob) : fail(new DOMException("the picture is empty"))), "image/png"),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** The browser's folder for downloads. */
export function save(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = fileName
  link.click()
  // Not at once: some browsers begin to read it later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
