/**
 * Winnowing inside Elasticsearch, by the scheme of wherefrom's client: the same tokens give the same terms.
 *
 * <p>This is a second implementation of the scheme. The tests of both implementations read {@code golden.json}, which
 * keeps the two alike.
 */
package wherefrom.elasticsearch;
