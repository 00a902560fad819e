import { useEffect, useRef, useState } from "react"
import type { Plot } from "../src/experiment/experiment.ts"
import type { Figure } from "../src/experiment/figure.ts"
import { draw } from "../src/plots/draw.ts"
import { pngOf, save, svgOf } from "./exports.ts"
import { filled, texts } from "./texts.ts"

/** "": as suits the plot. */
export type ScaleChoice = "" | "log" | "linear"

const WIDTH = { least: 300, most: 760 }

type PlotViewProps = {
  readonly plot: Plot
  readonly figures: readonly Figure[]
  readonly scale: ScaleChoice
  readonly name: string
}

export function PlotView({ plot, figures, scale, name }: PlotViewProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(WIDTH.most)

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    observer.observe(frame.current!)
    return () => observer.disconnect()
  }, [])

  const drawn = (colour: string, background: string) =>
    draw(plot, figures, {
      document,
      width: Math.max(WIDTH.least, Math.min(WIDTH.most, width)),
      colour,
      background,
      ...(scale === "" ? {} : { scale }),
    })

  useEffect(() => {
    const svg = drawn("currentColor", "transparent")
    if (svg) frame.current!.replaceChildren(svg)
  })

  const fileName = plot.title.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-")
  // As a file it stands by itself, without the page's theme.
  const onPaper = () => drawn("#1b1e24", "#ffffff")!
  return (
    <figure className="bench-plot">
      <figcaption lang="en">{plot.title}</figcaption>
      <div ref={frame} />
      <div className="bench-buttons">
        <button
          type="button"
          className="button"
          aria-label={filled(texts.plotAs, { kind: "SVG" })}
          onClick={() => save(svgOf(onPaper()), `${name}-${fileName}.svg`)}
        >
          SVG
        </button>
        <button
          type="button"
          className="button"
          aria-label={filled(texts.plotAs, { kind: "PNG" })}
          onClick={() => void pngOf(onPaper()).then((png) => save(png, `${name}-${fileName}.png`))}
        >
          PNG
        </button>
      </div>
    </figure>
  )
}
