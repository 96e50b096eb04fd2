class WalkAdapter(private val walks: List<Walk>) : RecyclerView.Adapter<WalkAdapter.ViewHolder>() {

    class ViewHolder(view: View) : RecyclerView.ViewHolder(view) {
        val title: TextView = view.findViewById(R.id.title)
        val distance: TextView = view.findViewById(R.id.distance)
    }

    override fun onCreateViewHolder(parent: ViewGroup, viewType: Int): ViewHolder {
        val view = LayoutInflater.from(parent.context).inflate(R.layout.item_walk, parent, false)
        return ViewHolder(view)
    }

    override fun onBindViewHolder(holder: ViewHolder, position: Int) {
        val walk = walks[position]
        holder.title.text = walk.title
        holder.distance.text = walk.distance.toString()
    }

    override fun getItemCount() = walks.size
}
