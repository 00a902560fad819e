/**
 * Makes Excalidraw paint cursors in the colour of `Collaborator`, a field of its own type. Excalidraw chooses a pastel
 * by itself and writes the name in black. Its dark theme turns that into light grey on a dark colour. The name becomes
 * white (black in the dark theme). Returns the code of other files unchanged.
 */
export function withCursorColours(code: string): string {
  return (
    code
      // clients.ts, getClientColor: minified and as written.
      .replace(/\(([\w$]+),\s*([\w$]+)\)\s*=>\s*(`hsl\(\$\{Math\.abs\()/, "($1,$2)=>$2?.color?.background??$3")
      .replace(
        /(getClientColor = \(\w+, (\w+)\) => \{)(\s*const hash)/,
        "$1 if ($2?.color) return $2.color.background;$3",
      )
      // clients.ts, renderRemoteCursors: the fill of the last text after its font.
      .replace(
        /("600 12px sans-serif"[^]{0,2500}?\.fillStyle\s*=\s*)[\w$]+([,;]\s*[\w$]+\.fillText\()/,
        '$1"#ffffff"$2',
      )
  )
}
