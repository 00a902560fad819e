import { X } from "lucide-react"

/** Hides, closes or removes what it stands in. */
export function DismissButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={onClick}>
      <X aria-hidden />
    </button>
  )
}
