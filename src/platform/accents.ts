/** The text without accents and other marks, in compatibility form (NFKD): "Ångström" becomes "Angstrom". */
export const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')
