"""Structured queries, as far as they are needed here."""

from firestore.messages import Query, invalid, unsupported
from firestore.paths import NAME, check_id, name_key, parse_path, relative_name
from firestore.values import value_key

FieldFilter = Query.FieldFilter
DESCENDING = Query.DESCENDING


def same_type(compare):
    return lambda key, wanted: key[0] == wanted[0] and compare(key, wanted)


COMPARE = {
    FieldFilter.EQUAL: lambda key, wanted: key == wanted,
    FieldFilter.LESS_THAN: same_type(lambda key, wanted: key < wanted),
    FieldFilter.LESS_THAN_OR_EQUAL: same_type(lambda key, wanted: key <= wanted),
    FieldFilter.GREATER_THAN: same_type(lambda key, wanted: key > wanted),
    FieldFilter.GREATER_THAN_OR_EQUAL: same_type(lambda key, wanted: key >= wanted),
}


class Plan:
    """A structured query, checked."""

    def __init__(self, database, parent, query):
        self.database = database
        self.collection = source_collection(parent, query)
        self.tests, self.inequalities = [], set()
        if query.HasField("where"):
            self.add_filter(query.where)
        given = [(parse_path(order.field.field_path), order.direction == DESCENDING)
                 for order in query.order_by]
        self.orders = self.all_orders(given)
        self.start = self.cursor(query.start_at, len(given)) if query.HasField("start_at") else None
        self.limit = query.limit.value if query.HasField("limit") else None
        if (self.limit or 0) < 0:
            raise invalid("limit must not be negative.")
        self.mask = [parse_path(field.field_path) for field in query.select.fields] or None
        if query.HasField("find_nearest") or query.HasField("end_at") or query.offset:
            raise unsupported("findNearest, endAt and offset")

    def add_filter(self, where):
        if where.WhichOneof("filter_type") != "field_filter":
            raise unsupported("A filter other than of a field")
        item = where.field_filter
        if item.op not in COMPARE:
            raise unsupported("The operator of a field filter")
        path = parse_path(item.field.field_path)
        wanted = self.key_for(path, item.value)
        if item.op != FieldFilter.EQUAL:
            self.inequalities.add(path)
        self.tests.append((path, lambda key: COMPARE[item.op](key, wanted)))

    def key_for(self, path, value):
        """The key of a value to compare with; for __name__ it must be a document's."""
        if path != NAME:
            return value_key(value)
        if value.WhichOneof("value_type") != "reference_value":
            raise invalid("__key__ filter value must be a Key")
        return name_key(relative_name(self.database, value.reference_value))

    def all_orders(self, given):
        """The given orders, then the inequality fields, then __name__."""
        orders, last = list(given), given[-1][1] if given else False
        have = {path for path, _ in orders}
        orders += [(path, last) for path in sorted(self.inequalities - have - {NAME})]
        return orders if NAME in have else orders + [(NAME, last)]

    def cursor(self, cursor, given):
        if not 1 <= len(cursor.values) <= given:
            raise invalid("A cursor needs at least one value and no more than there are orders.")
        keys = [self.key_for(path, value) for (path, _), value in zip(self.orders, cursor.values)]
        return keys, cursor.before

    def side(self, version, keys):
        """Where a document lies from a cursor: negative before, 0 at, positive after."""
        for (path, down), wanted in zip(self.orders, keys):
            key = version.key(path)
            if key != wanted:
                return -1 if (key < wanted) != down else 1
        return 0

    def fits(self, version):
        for path, test in self.tests:
            key = version.key(path)
            if key is None or not test(key):
                return False
        for path, _ in self.orders:
            if version.key(path) is None:
                return False
        if self.start:
            side = self.side(version, self.start[0])
            return side > 0 or side == 0 and self.start[1]
        return True

    def sort(self, found):
        for path, down in reversed(self.orders):
            found.sort(key=lambda version: version.key(path), reverse=down)

    def run(self, store):
        """The documents in order, and the read time."""
        everything, stamp = store.read_collection(self.collection)
        found = [version for version in everything if self.fits(version)]
        self.sort(found)
        return found[:self.limit], stamp


def source_collection(parent, query):
    if len(query.from_) != 1:
        raise invalid("A query needs exactly one collection in from.")
    source = query.from_[0]
    if source.all_descendants:
        raise unsupported("allDescendants")
    check_id(source.collection_id, "Collection id")
    return f"{parent}/{source.collection_id}" if parent else source.collection_id
