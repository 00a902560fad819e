import { cutLinks } from "./linkify.ts"

/** What somebody wrote, as text and links; never as HTML. */
export function MessageText({ text }: { readonly text: string }) {
  return (
    <p className="message-text" dir="auto">
      {cutLinks(text).map((piece, index) =>
        piece.href === null ? (
          piece.text
        ) : (
          <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
            {piece.text}
          </a>
        ),
      )}
    </p>
  )
}
