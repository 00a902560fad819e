import type { TextsWithoutOne } from "../../plurals.ts"

export const showing: TextsWithoutOne["showing"] = {
  slides: "フレームをスライドで表示",
  noSlides: "フレームはまだありません。フレームツールで描いてください。",
  count_other: "スライド{{count}}枚",
  slide: "スライド{{at}}／{{all}}",
  previous: "前のスライド",
  next: "次のスライド",
  bring: "全員をここに呼ぶ",
  close: "スライドを閉じる",
  brought: "{{name}}さんがあなたをここに呼びました。ホワイトボードを動かすまで、{{name}}さんと同じものが見えます。",
}
