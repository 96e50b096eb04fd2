import SwiftUI

struct PottersView: View {
    @State private var name = ""
    @ObservedObject var viewModel: PottersViewModel

    var body: some View {
        NavigationView {
            List(viewModel.potters) { potter in
                NavigationLink(destination: PotterDetail(potter: potter)) {
                    Text(potter.name)
                        .font(.headline)
                }
            }
            .navigationTitle("Potters")
            .onAppear {
                viewModel.load()
            }
        }
    }
}
