/**
 * Winnowing inside Elasticsearch, by the scheme of wherefrom's client: the same tokens give the same terms.
 *
 * <p>The scheme is written here a second time, in Java. {@code golden.json}, which the tests of both read,
 * keeps the two alike.
 */
package wherefrom.elasticsearch;
