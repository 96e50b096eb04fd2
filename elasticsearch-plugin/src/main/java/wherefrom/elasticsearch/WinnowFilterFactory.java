package wherefrom.elasticsearch;

import org.apache.lucene.analysis.TokenStream;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.TokenFilterFactory;

/** The filter {@code wherefrom_winnow}: {@link WinnowFilter} with the settings of the index. */
@NamedComponent("wherefrom_winnow")
public final class WinnowFilterFactory implements TokenFilterFactory {
    private final WinnowSettings settings;

    /** Takes the settings, which are checked only when the filter is used. */
    @Inject
    public WinnowFilterFactory(WinnowSettings settings) {
        this.settings = settings;
    }

    @Override
    public TokenStream create(TokenStream input) {
        return new WinnowFilter(input, Winnowing.of(settings, Representation.EXACT, false));
    }
}
