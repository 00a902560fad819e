/**
 * Excalidraw paints every cursor in a pastel of its own choice and the name on it in black, which its dark theme turns
 * into light grey on a dark colour. This makes it paint the colour that its own type `Collaborator` has a field for, and the name in
 * white (black in the dark theme). Code of other files comes back as it is.
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
