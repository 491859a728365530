import { kindOf } from './value-kind.ts'

/** A footer is read up to this length. */
const MAX_FOOTER_LENGTH = 500

const COPYRIGHT = /^(?:©|\(c\)\s|copyright\b.*(?:©|\(c\)|\d{4})|.*\ball rights reserved\b|.*©\s*\d{4})/i

const WHEN = String.raw`\s.*(?:\b(?:19|20)\d\d\b|\d[:./-]\d)`

const GENERATED = new RegExp(
  '^(?:(?:report|file|list|data|table) )?(?:last )?(?:generated|exported|created|downloaded|printed|prepared|' +
    'produced|extracted|updated|retrieved|erstellt|exportiert|generiert|heruntergeladen|gedruckt|stand|généré|' +
    'exporté|téléchargé|imprimé|mis à jour|generado|exportado|descargado|impreso|actualizado|gerado|baixado|' +
    'impresso|atualizado|generato|esportato|scaricato|stampato|aggiornato|gegenereerd|geëxporteerd|gedownload|' +
    'afgedrukt|bijgewerkt|wygenerowano|wyeksportowano|pobrano|wydrukowano|zaktualizowano|сформировано|выгружено|' +
    `создано|скачано)(?:\\s*(?:by|on|at)?\\s*:|${WHEN})`,
  'i',
)

/** Verbs that no name starts with. */
const GENERATED_BY =
  /^(?:report |file |list |data )?(?:generated|exported|downloaded|extracted) (?:by|on|from|with|via) /i

const SOURCE =
  /^(?:(?:data )?sources?|quellen?|fuentes?|fontes?|fonti?|bron(?:nen)?|źródł[oa]|источники?|notes?|hinweise?|disclaimer|remarque|nota|uwaga|примечание|as of|as at)\s*:\s*\S/i

const PAGE =
  /^(?:page|seite|página|pagina|strona|страница|p\.)\s*\d+(?:\s*(?:of|von|sur|de|di|van|z|из|\/)\s*\d+)?$/i

const COUNT =
  /^(?:showing|displaying|results?|records?|rows?|zeige|affichage|mostrando|ergebnisse)\b[\s:]*\d[\d.,\s]*(?:(?:[–-]|to|bis|à|a)\s*\d[\d.,\s]*)?(?:(?:of|von|sur|de|di)\s*\d[\d.,\s]*)?\p{L}*\.?$|^\d[\d.,\s]*(?:rows?|records?|results?|entries)\b.{0,40}$|^totals? .{0,40}\d$/iu

const CONFIDENTIAL =
  /^(?:(?:strictly )?(?:private (?:and|&) )?confidential|vertraulich|confidentiel|confidencial|riservato|vertrouwelijk|poufne|конфиденциально)(?:$|[\s.:–-])|\b(?:do not|not for) (?:re)?distribut/i

const END = /^(?:-+\s*)?end of (?:report|file|list|export|data|table)\b/i

const RIGHTS =
  /alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|todos os direitos reservados|tutti i diritti riservati|alle rechten voorbehouden|wszelkie prawa zastrzeżone|все права защищены/i

const FOOTERS = [COPYRIGHT, GENERATED, GENERATED_BY, SOURCE, PAGE, COUNT, CONFIDENTIAL, END, RIGHTS]

/** Whether a line below a table says where it is from, and the like. */
export function isFooter(text: string): boolean {
  const line = text.slice(0, MAX_FOOTER_LENGTH).trim()
  return FOOTERS.some((footer) => footer.test(line))
}

const TOTAL =
  /^(?:(?:grand |sub)?totals?|sum|summary|averages?|count|summe|gesamt(?:summe)?|insgesamt|somme|total général|suma|total geral|totale|somma|totaal|razem|ogółem|итого|всего|сумма)\b[^\p{L}]*$/iu

/** `\b` knows plain letters only. */
const OTHER_TOTAL = /^(?:итого|всего|сумма|ogółem)\s*:?$/i

/** Whether the first cell that is not blank says that the others, which are numbers, are totals. */
export function isTotal(cells: readonly string[]): boolean {
  const index = cells.findIndex((cell) => cell.trim() !== '')
  const first = cells[index]?.trim() ?? ''
  if (first.length > 40 || !(TOTAL.test(first) || OTHER_TOTAL.test(first))) return false
  const others = cells.slice(index + 1).map((cell) => cell.trim())
  return others.every((cell) => cell === '' || kindOf(cell) === 'number' || /^\d{4}$/.test(cell))
}

const MIN_SENTENCE_WORDS = 8

/** Whether it is a sentence, as in a disclaimer. */
export const isSentence = (text: string): boolean =>
  text.slice(0, MAX_FOOTER_LENGTH).split(/\s+/, MIN_SENTENCE_WORDS).length === MIN_SENTENCE_WORDS &&
  /[.!]\s*$/.test(text.slice(-20))
