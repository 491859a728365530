import { normalizedName } from './normalized-name.ts'

const names = (text: string): readonly string[] => text.split(',').map(normalizedName)

/** Names that may also be those of people. A column that names companies alone is preferred. */
const GENERIC_NAMES = names('name, nom, nome, nombre, naam, nazwa, название, denominazione')

/**
 * The column names that common tools use for each field, best source first: in English, German, French, Spanish,
 * Portuguese, Italian, Dutch, Polish, and Russian, with those of HubSpot, Affinity, Attio, Crunchbase, PitchBook,
 * Dealroom, Tracxn, Airtable, Notion, and Companies House.
 */
export const COLUMN_NAMES = {
  name: [
    ...names(`company name, company, organization name, organisation name, organization, organisation, account name,
      startup, startup name, start-up, name of company, name of startup, firm, firm name, business name,
      portfolio company, target company, employer,
      Unternehmen, Unternehmensname, Name des Unternehmens, Firma, Firmenname, Name der Firma, Gesellschaft, Startup-Name,
      Société, Nom de la société, Entreprise, Nom de l'entreprise, Raison sociale, Nom de la startup,
      Empresa, Nombre de la empresa, Nombre empresa, Razón social, Compañía, Sociedad, Nombre de la startup,
      Nome da empresa, Nome empresa, Razão social, Companhia, Nome da startup,
      Azienda, Nome azienda, Nome dell'azienda, Ragione sociale, Società, Impresa, Denominazione sociale,
      Bedrijf, Bedrijfsnaam, Naam bedrijf, Onderneming, Organisatie, Handelsnaam,
      Firma, Nazwa firmy, Nazwa spółki, Spółka, Przedsiębiorstwo, Nazwa startupu,
      Компания, Название компании, Название стартапа, Стартап, Организация, Наименование, Наименование организации`),
    ...GENERIC_NAMES,
    ...names(
      'companies, record, legal name, registered name, trade name, trading name, nome fantasia, nome filial',
    ),
  ],
  website:
    names(`website, company website, website url, company url, company website url, homepage, homepage url, url, web,
    web site, web page, webpage, site, site url, web address, web url, website address, website link, company site,
    domain, domains, company domain, company domain name, domain name, primary domain, organization website,
    Webseite, Webseiten-URL, Internetseite, Internetadresse, Homepage-URL, Unternehmenswebsite, Unternehmens-Domainname,
    Domain des Unternehmens,
    Site web, Site internet, URL du site web, URL du site, Adresse web, Nom de domaine, Nom de domaine de l'entreprise,
    Sitio web, Página web, URL del sitio web, Web de la empresa, Dominio, Nombre de dominio de la empresa,
    URL do site, Página na web, Domínio, Nome do domínio da empresa, Nome de domínio da empresa,
    Sito web, Sito, Sito internet, URL del sito web, Nome dominio azienda, Bedrijfswebsite, URL van website, Domeinnaam,
    Bedrijfsdomeinnaam, Strona internetowa, Strona www, WWW, Adres www, Witryna, Domena, Сайт, Веб-сайт, Домен`),
  country_code:
    names(`country code, country iso, iso code, iso country code, iso, iso2, country iso2, iso3, country iso3,
    company country code, hq country code, Ländercode, Länderkürzel, Landescode, Code pays, Code du pays, Código de país,
    Código del país, Código do país, Codice paese, Landcode, Kod kraju, Код страны`),
  country:
    names(`country, country name, hq country, headquarters country, country region, hq country territory region,
    company country, nation, country of origin, country of headquarters, reg address country, affinity data location country,
    location country, primary location country, country territory,
    Land, Staat, Land/Region, Hauptsitz Land, Pays, Pays/Région, Pays du siège, País, País/Región, País/Região, País sede,
    Paese, Paese/Regione, Nazione, Land/regio, Kraj, Kraj/region, Państwo, Страна`),
  hq_city:
    names(`hq city, city, headquarters city, company city, town, city location, location city, hq, headquarters,
    hq location, headquarters location, headquarter, head office, primary location, primary location city, location,
    reg address post town, post town, city town, affinity data location city, organization location,
    Stadt, Ort, Sitz, Firmensitz, Hauptsitz, Standort, Unternehmenssitz, Ville, Siège, Siège social, Localisation, Commune,
    Ciudad, Sede, Ubicación, Localidad, Población, Municipio, Cidade, Localização, Município, Localidade,
    Città, Comune, Località, Plaats, Stad, Vestigingsplaats, Hoofdkantoor, Locatie, Miasto, Siedziba, Lokalizacja,
    Miejscowość, Город, Местоположение`),
  industry_category:
    names(`industry category, industry, primary industry, primary industry sector, primary industry group,
    primary industry code, category, sector, vertical, industry vertical, industry sector, industries, categories, sectors,
    verticals, market categories, company industry,
    affinity data industry, crunchbase industry, sic code sic text 1,
    Branche, Industrie, Kategorie, Branchen, Wirtschaftszweig, Sektor, Secteur, Secteur d'activité, Catégorie,
    Industria, Categoría, Sector de actividad, Rubro, Setor, Indústria, Categoria, Segmento,
    Settore, Settore di attività, Industrie, Bedrijfstak, Categorie, Branża, Kategoria, Przemysł,
    Отрасль, Индустрия, Категория, Сфера`),
  activity_description:
    names(`activity description, description, long description, full description, company description,
    about, about us, about the company, overview, company overview, business description, affinity data description,
    organization description, short description, one liner, oneliner, pitch, elevator pitch, tagline, summary,
    what they do, what do they do, Beschreibung, Unternehmensbeschreibung, Firmenbeschreibung, Kurzbeschreibung, Tätigkeit,
    Descriptif, Description de l'entreprise, Activité, Présentation, Résumé, Descripción, Descripción de la empresa,
    Actividad, Descrição, Descrição da empresa, Atividade, Sobre, Resumo, Descrizione, Descrizione azienda, Attività,
    Omschrijving, Beschrijving, Bedrijfsomschrijving, Activiteit, Opis, Opis firmy, Działalność,
    Описание, Описание компании, Деятельность`),
  status:
    names(`status, company status, operating status, business status, Unternehmensstatus, Firmenstatus, Statut,
    Statut de l'entreprise, Estado de la empresa, Estatus, Situação, Status da empresa, Stato azienda, Bedrijfsstatus,
    Status firmy, Статус`),
  thesis_code: names('thesis code, thesis'),
  employee_count:
    names(`employee count, employees, number of employees, no of employees, nr of employees, # of employees,
    num employees, employees count, employees number, employee number, total employees, team size, headcount, head count,
    company size, fte, ftes, staff, staff count, employee range, employees range, number employees,
    affinity data number of employees, current employees,
    Mitarbeiter, Mitarbeiterzahl, Anzahl Mitarbeiter, Anzahl der Mitarbeiter, Mitarbeiteranzahl, Beschäftigte,
    Mitarbeitende, Anzahl Mitarbeitende, Unternehmensgröße, Effectif, Effectifs, Salariés, Nombre d'employés,
    Nombre de salariés, Employés, Taille de l'entreprise, Empleados, Número de empleados, Nº de empleados, N° empleados,
    Cantidad de empleados, Plantilla, Trabajadores, Funcionários, Número de funcionários, Nº de funcionários, Colaboradores,
    Número de colaboradores, Empregados, Dipendenti, Numero di dipendenti, Numero dipendenti, Addetti, Medewerkers,
    Aantal medewerkers, Werknemers, Aantal werknemers, Pracownicy, Liczba pracowników, Zatrudnienie, Wielkość zatrudnienia,
    Сотрудники, Количество сотрудников, Число сотрудников`),
  founded_year:
    names(`founded year, founded, year founded, founding year, founded date, date founded, founded on, founded at,
    founded in, foundation year, foundation date, founding date, year of foundation, year of founding, established,
    year established, established year, established on, incorporated, incorporation date, date of incorporation,
    incorporation year, year of incorporation, launch year, launch date, inception year, affinity data year founded,
    Gründungsjahr, Gründung, Gegründet, Gründungsdatum, Jahr der Gründung, Année de création, Date de création de l'entreprise,
    Année de fondation, Créée en, Fondée en, Fondation, Año de fundación, Fundación, Fecha de fundación, Fundada, Año fundación,
    Ano de fundação, Fundação, Data de fundação, Fundada em, Ano fundação, Anno di fondazione, Fondazione, Anno fondazione,
    Fondata nel, Data di costituzione, Oprichtingsjaar, Opgericht, Oprichtingsdatum, Jaar van oprichting, Rok założenia,
    Data założenia, Rok powstania, Założona, Год основания, Дата основания, Основана`),
  revenue_eur:
    names(`revenue eur, revenue, annual revenue, annual revenue eur, revenues, total revenue, net revenue,
    yearly revenue, turnover, annual turnover, turnover eur, sales, annual sales, sales eur, estimated revenue,
    last revenue, latest revenue,
    Umsatz, Jahresumsatz, Umsatzerlöse, Chiffre d'affaires, Chiffre d'affaires annuel, Revenus, Revenu annuel,
    Ingresos, Ingresos anuales, Facturación, Facturación anual, Ventas, Receita, Receita anual, Faturamento,
    Faturamento anual, Faturação, Volume de negócios, Fatturato, Fatturato annuo, Ricavi, Entrate annuali, Ricavi annuali,
    Omzet, Jaaromzet, Jaarlijkse omzet, Przychód, Przychody, Roczny przychód, Obrót, Obroty, Выручка, Годовая выручка,
    Оборот`),
  llm_score_overall: names('llm score overall, llm score, score'),
  llm_score_details: names('llm score details'),
  executives:
    names(`executives, management, management team, founders, founder, founder s, founder names, founders names,
    leadership, leadership team, executive team, Geschäftsführung, Geschäftsführer, Gründer, Gründerteam, Dirigeants,
    Fondateurs, Fondateur, Fundadores, Fundador, Directivos, Fondatori, Fondatore, Dirigenti, Oprichters, Oprichter, Directie,
    Założyciele, Założyciel, Zarząd, Основатели, Основатель`),
  financials: names('financials'),
  tags: names(`tags, tag, labels, label, keywords, key words, topics, category list,
    company category list, Schlagwörter, Schlagworte, Stichwörter, Étiquettes,
    Mots-clés, Mots clés, Etiquetas, Palabras clave, Palavras-chave, Parole chiave, Etichette, Trefwoorden, Labels, Tagi,
    Słowa kluczowe, Etykiety, Теги, Метки, Ключевые слова`),
  owner_email:
    names(`owner email, company owner email, account owner email, owner, company owner, account owner, owners,
    relationship owner, assigned to, assignee, Zuständiger Mitarbeiter, Für Unternehmen zuständiger Mitarbeiter,
    Zuständiger Mitarbeiter für Unternehmen, Propriétaire de l'entreprise, Propietario de la empresa,
    Proprietário da empresa, Proprietario azienda, Proprietario dell'azienda, Bedrijfseigenaar, Eigenaar van bedrijf,
    Właściciel firmy, Ответственный`),
} as const satisfies Record<string, readonly string[]>

export type ImportField = keyof typeof COLUMN_NAMES

/** By their normalized names. A name stands for one field. */
const FIELDS_BY_NAME: ReadonlyMap<string, ImportField> = new Map(
  Object.entries(COLUMN_NAMES).flatMap(([field, names]) => names.map((name) => [name, field as ImportField])),
)

/** The field that a column with this normalized name is read to. */
export const fieldNamed = (name: string): ImportField | undefined => FIELDS_BY_NAME.get(name)

/** Whether a column with this normalized name may have the names of people. */
export const isGenericName = (name: string): boolean => GENERIC_NAMES.includes(name)

/** Whether a column with this normalized name has the names of companies alone. */
export const isCompanyName = (name: string): boolean =>
  fieldNamed(name) === 'name' &&
  COLUMN_NAMES.name.indexOf(name) < COLUMN_NAMES.name.indexOf(GENERIC_NAMES[0] ?? '')
