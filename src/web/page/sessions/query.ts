/** The filters as stored in the address; every value is a text. */
const FILTER_NAMES = ["project", "host", "branch", "since", "file", "unobserved", "children"] as const;

export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = { readonly [K in FilterName]?: string };

/** The filters in an address, without empty ones. */
export function filtersIn(query: Readonly<Record<string, string>>): Filters {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = query[name];
      if (!value) return [];
      if ((name === "unobserved" || name === "children") && value !== "true") return [];
      return [[name, value]];
    }),
  );
}

/** The same text for the same filters, regardless of their order in the address. */
export function filterKey(filters: Filters): string {
  return FILTER_NAMES.map((name) => filters[name] ?? "").join("\n");
}

export function withoutFilters(): Readonly<Record<FilterName, undefined>> {
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])) as Record<FilterName, undefined>;
}

export function listQuery(filters: Filters, offset: number, limit: number) {
  return { ...filters, offset, limit };
}
