import type { TextsWithoutOne } from "../plurals.ts"

export const part: TextsWithoutOne["part"] = {
  broken: "ページのこの部分を読み込めませんでした。",
  hint: "ページを再読み込みしてください。何も失われず、今の場所に戻ります。",
  load: "再読み込み",
  later: "あとで",
}
